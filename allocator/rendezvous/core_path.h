// The path of one core: its root functions one after another, calls expanded.
// Part of core_order.h; not for other layers.
#ifndef BERTH_ALLOCATOR_RENDEZVOUS_CORE_PATH_H_
#define BERTH_ALLOCATOR_RENDEZVOUS_CORE_PATH_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "allocator/model/intervals.h"
#include "allocator/model/program.h"
#include "allocator/rendezvous/code_path.h"

namespace berth {

// Points with all calls expanded, over all cores: at some 100 bytes each, 3
// GiB. 64 cores that each make 13,000 calls of a layer that meets 8 times have
// a fifth of that.
inline constexpr int64_t kMaxPathPoints = int64_t{1} << 25;

// An instruction: core, index of its function in the module, flat index there.
struct CodePlace {
  int32_t core = 0;
  int32_t function = 0;
  int32_t flat = 0;

  friend bool operator==(const CodePlace&, const CodePlace&) = default;
};

// One function on the path of its core.
struct FunctionPath {
  CodePath code;
  // Points of the core's path from the start of the function to its k-th point,
  // calls expanded; last: to its end.
  std::vector<int32_t> expanded;
  // The points of the core's path at which the function starts, once for each
  // call, ascending, each once; empty: it never runs.
  std::vector<int32_t> starts;

  // Times of an instruction from a start of the function that is point 0; of a
  // CALL from before its callee to after it. lo = -1: nothing leads to it.
  Interval LocalTimes(int32_t flat) const;
};

// A point of a core's path.
struct CorePoint {
  PathPoint::Kind kind = PathPoint::Kind::kMeet;  // never kCall
  CodePlace place;                                // kMeet
  int32_t name = -1;                              // kMeet: id of its name
  // kMeet: the kLoopBegin of the innermost loop that may be left before it; -1.
  int32_t scope = -1;
};

struct CorePath {
  std::vector<FunctionPath> functions;  // by index in the module
  std::vector<CorePoint> points;

  // What the rendezvous of all cores add. By point:
  std::vector<int32_t> rendezvous;  // -1: a loop's begin or end
  // Of Matching::loops the innermost that holds the point, or that it begins or
  // ends; -1: none.
  std::vector<int32_t> loop;
  // By stretch of code between points, one more than points:
  std::vector<int32_t> row;  // rendezvous whose clock is known; -1: none
  std::vector<int32_t> phase;
  std::vector<int64_t> rank;
};

// Ids of the names that meet.
using MeetingNames = absl::flat_hash_map<std::string, int32_t>;

// The functions and points of `module`. With `lenient`, what is not on every
// path is passed over. `points_left` is what kMaxPathPoints leaves; it is
// reduced. Errors: those of CoreOrder::Of that one core alone can have.
absl::StatusOr<CorePath> FindCorePath(const Module& module,
                                      const MeetingNames& names, bool lenient,
                                      int64_t& points_left);

// The instruction with flat index `flat`.
const Instruction& InstructionAt(const Function& function, int32_t flat);

// "core 0, function 'main', instruction 'sum'".
std::string Describe(const Module& module, int32_t function, int32_t flat);

// Blocks' instructions in flat order: visit(instruction, block, flat).
template <typename Visit>
void ForEachInstruction(const Function& function, Visit visit) {
  int32_t flat = 0;
  for (size_t b = 0; b < function.blocks.size(); ++b) {
    for (const Instruction& instruction : function.blocks[b].instructions) {
      visit(instruction, static_cast<int32_t>(b), flat++);
    }
  }
}

}  // namespace berth

#endif  // BERTH_ALLOCATOR_RENDEZVOUS_CORE_PATH_H_
