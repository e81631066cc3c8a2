// Where one core is on its path (core_path.h), and which clocks hold there.
// Shared by those that run cores side by side: meeting.cc, next_iteration.cc.
#ifndef BERTH_ALLOCATOR_RENDEZVOUS_PATH_WALK_H_
#define BERTH_ALLOCATOR_RENDEZVOUS_PATH_WALK_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "allocator/rendezvous/core_path.h"

namespace berth {

struct PathWalk {
  int32_t next = 0;  // the point that comes next
  int32_t row = -1;  // of a table of clocks: what the core knows here
  // Of the loops around it: begin, and the row that holds once it is left.
  std::vector<std::pair<int32_t, int32_t>> open;

  // Passes the next point; `met` is the row behind it if cores meet there.
  void Pass(const CorePoint& point, int32_t met) {
    switch (point.kind) {
      case PathPoint::Kind::kLoopBegin:
        open.emplace_back(next, row);
        break;
      case PathPoint::Kind::kLoopEnd:
        row = open.back().second;
        open.pop_back();
        break;
      case PathPoint::Kind::kMeet:
      case PathPoint::Kind::kCall:
        row = met;
        // Loops that are not left before it keep what it gives.
        for (auto loop = open.rbegin(); loop != open.rend(); ++loop) {
          if (loop->first == point.scope) break;
          loop->second = met;
        }
        break;
    }
    ++next;
  }
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_RENDEZVOUS_PATH_WALK_H_
