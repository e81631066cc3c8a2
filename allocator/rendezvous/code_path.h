// The path through one function: the marked instructions (rendezvous, and calls
// of functions that hold some) in the order in which every run passes them.
// Part of core_order.h; not for other layers.
//
// The CFG is cut into strongly connected components. A marked instruction
// outside of loops must be on every path from the entry to an end; in a loop,
// with the edges back to its header left out, on every path from the header to
// an edge back; and so on inwards. What is on every path is comparable with
// every block, so each block has a number of points before it.
#ifndef BERTH_ALLOCATOR_RENDEZVOUS_CODE_PATH_H_
#define BERTH_ALLOCATOR_RENDEZVOUS_CODE_PATH_H_

#include <cstdint>
#include <variant>
#include <vector>

#include "allocator/model/program.h"

namespace berth {

struct PathPoint {
  enum class Kind : uint8_t { kMeet, kCall, kLoopBegin, kLoopEnd };
  Kind kind = Kind::kMeet;
  int32_t flat = -1;  // kMeet, kCall
  int32_t what = -1;  // that of its mark
  // kMeet, kCall: the point that begins the innermost loop which may be left
  // before this point is reached; -1: no run of the function misses it.
  int32_t scope = -1;
};

struct CodePath {
  std::vector<PathPoint> points;
  // By block, and the number of instructions at the end.
  std::vector<int32_t> block_starts;
  // By block: points before its first and behind its last instruction; -1:
  // nothing leads to it.
  std::vector<int32_t> points_before;
  std::vector<int32_t> points_after;

  // Points before instruction `flat`, -1 if nothing leads to it.
  int32_t PointsBefore(int32_t flat) const;
  // The point that is instruction `flat`, or -1.
  int32_t PointOf(int32_t flat) const;
};

// A marked instruction, at most one for each instruction.
struct Mark {
  int32_t block = 0;
  int32_t flat = 0;
  bool is_call = false;
  int32_t what = 0;  // the caller's: which name, which callee
};

// Why a mark can be no point.
struct PathFault {
  enum class Kind : uint8_t {
    kUnreachable,
    kNotOnEveryPath,
    kNotInEveryIteration,
    kSeveralEntries,  // the loop that holds it has several
    kTooDeep,
  };
  Kind kind = Kind::kUnreachable;
  int32_t flat = 0;
};

// Loops that hold a mark may nest this deep.
inline constexpr int32_t kMaxMarkedLoopDepth = 64;

// `marks` by flat index. With `lenient`, marks that are at fault are passed
// over instead. REQUIRES: a checked program. Cost: O(blocks + edges) times the
// depth of loops that hold a mark.
std::variant<CodePath, PathFault> FindCodePath(const Function& function,
                                               const std::vector<Mark>& marks,
                                               bool lenient);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_RENDEZVOUS_CODE_PATH_H_
