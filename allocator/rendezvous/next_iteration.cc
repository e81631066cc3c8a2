#include "allocator/rendezvous/next_iteration.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "allocator/base/check.h"
#include "allocator/rendezvous/code_path.h"
#include "allocator/rendezvous/core_order.h"
#include "allocator/rendezvous/core_path.h"
#include "allocator/rendezvous/path_walk.h"

namespace berth {

// Runs the second iteration of the loops of one class.
class NextIteration::Runner {
 public:
  Runner(const CoreOrder& order, int32_t loop_class, Carried& out)
      : order_(order), out_(out) {
    for (const int32_t l : order.LoopsOf(loop_class)) {
      loops_.push_back(&order.loops()[l]);
    }
  }

  void Run() {
    out_.number_of_core.assign(order_.num_cores(), -1);
    for (size_t n = 0; n < loops_.size(); ++n) Begin(static_cast<int32_t>(n));
    const std::vector<Point> points = Points();
    for (size_t first = 0; first < points.size();) {
      size_t last = first;
      while (last < points.size() &&
             points[last].rendezvous == points[first].rendezvous) {
        Advance(points[last].loop, points[last].point);
        ++last;
      }
      Meet(&points[first], &points[last - 1]);
      first = last;
    }
    for (size_t n = 0; n < loops_.size(); ++n) {
      Advance(static_cast<int32_t>(n), loops_[n]->end);
    }
  }

 private:
  struct Point {
    int32_t rendezvous;
    int32_t loop;
    int32_t point;
  };
  const CorePath& PathOf(int32_t loop) const {
    return order_.path(loops_[loop]->core);
  }
  int32_t* Row(int32_t row) { return &out_.clocks[row * loops_.size()]; }
  int32_t AddRow() {
    out_.clocks.resize(out_.clocks.size() + loops_.size(), -1);
    return static_cast<int32_t>(out_.clocks.size() / loops_.size()) - 1;
  }

  // The back edge: a core has done all of the first iteration, and knows what
  // it knew at the end of it.
  void Begin(int32_t n) {
    const CoreLoop& loop = *loops_[n];
    out_.number_of_core[loop.core] = n;
    const int32_t row = AddRow();
    const int32_t known = PathOf(n).row[loop.end];
    for (size_t other = 0; known >= 0 && other < loops_.size(); ++other) {
      Row(row)[other] = order_.ClockOf(known, loops_[other]->core);
    }
    Row(row)[n] = 2 * loop.end;
    walks_.push_back({.next = loop.begin + 1, .row = row, .open = {}});
    out_.rows.push_back({{loop.begin, row}});
  }

  // In an order that all cores agree with.
  std::vector<Point> Points() const {
    std::vector<Point> points;
    for (size_t n = 0; n < loops_.size(); ++n) {
      const auto loop = static_cast<int32_t>(n);
      for (int32_t p = loops_[n]->begin + 1; p < loops_[n]->end; ++p) {
        const int32_t rendezvous = PathOf(loop).rendezvous[p];
        if (rendezvous >= 0) points.push_back({rendezvous, loop, p});
      }
    }
    std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) {
      return std::tie(a.rendezvous, a.loop) < std::tie(b.rendezvous, b.loop);
    });
    return points;
  }

  // Passes the begins and ends of inner loops before `point`.
  void Advance(int32_t loop, int32_t point) {
    PathWalk& walk = walks_[loop];
    while (walk.next < point) {
      const CorePoint& passed = PathOf(loop).points[walk.next];
      BERTH_CHECK(passed.kind == PathPoint::Kind::kLoopBegin ||
                  passed.kind == PathPoint::Kind::kLoopEnd);
      walk.Pass(passed, -1);
      if (passed.kind == PathPoint::Kind::kLoopBegin) continue;
      out_.rows[loop].emplace_back(walk.next - 1, walk.row);
    }
  }

  void Meet(const Point* first, const Point* last) {
    const int32_t row = AddRow();
    for (const Point* p = first; p <= last; ++p) {
      const int32_t known = walks_[p->loop].row;
      for (size_t n = 0; n < loops_.size(); ++n) {
        Row(row)[n] = std::max(Row(row)[n], Row(known)[n]);
      }
    }
    for (const Point* p = first; p <= last; ++p) {
      walks_[p->loop].Pass(PathOf(p->loop).points[p->point], row);
      out_.rows[p->loop].emplace_back(p->point, row);
    }
  }

  const CoreOrder& order_;
  Carried& out_;
  std::vector<const CoreLoop*> loops_;
  std::vector<PathWalk> walks_;  // by loop
};

bool NextIteration::Before(int32_t loop_class, int32_t core, int32_t time,
                           int32_t other, int32_t other_time) {
  const auto [it, added] = carried_.try_emplace(loop_class);
  Carried& carried = it->second;
  if (added) Runner(order_, loop_class, carried).Run();
  const int32_t number = carried.number_of_core[core];
  const auto& rows = carried.rows[carried.number_of_core[other]];
  // The last point that is not behind the time.
  const auto behind = std::upper_bound(
      rows.begin(), rows.end(), (other_time - 1) / 2,
      [](int32_t point, const auto& row) { return point < row.first; });
  BERTH_CHECK(number >= 0 && behind != rows.begin());
  const size_t row = std::prev(behind)->second;
  return time <= carried.clocks[row * carried.rows.size() + number];
}

}  // namespace berth
