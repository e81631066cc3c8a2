// The accesses of a function as reads and writes of ranges of positions: what
// dependence.h and shared_dependence.h analyse. Part of them; tests may look.
//
// A position stands for a run of bytes that no access begins or ends within. In
// *private* bytes every location has a line of its own; in *placed* bytes those
// of one space lie at their addresses.
//
// Thread-safety: const use from several threads is safe.
#ifndef BERTH_ALLOCATOR_DEPENDENCE_BYTE_ACCESSES_H_
#define BERTH_ALLOCATOR_DEPENDENCE_BYTE_ACCESSES_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "allocator/model/program.h"

namespace berth {

// Positions [lo, hi), never empty.
struct ByteAccess {
  int32_t instruction = 0;  // flat index
  int32_t location = 0;
  int32_t lo = 0;
  int32_t hi = 0;
  bool write = false;
};

class ByteAccesses {
 public:
  // Every DRAM location in private bytes; partial defs are reads too.
  static ByteAccesses Private(const Function& function);
  // The SHARED DRAM locations, in private bytes; the bytes alone.
  static ByteAccesses PrivateShared(const Function& function);
  // The DRAM locations of `space` that have an address.
  static ByteAccesses Placed(const Function& function, Space space);

  int32_t num_positions() const { return num_positions_; }
  int32_t num_instructions() const {
    return static_cast<int32_t>(begins_.size()) - 1;
  }
  // Where a position begins: in private bytes, the byte of its location.
  uint64_t OffsetOf(int32_t position) const { return points_[position].offset; }
  // Private bytes: the location whose bytes begin at a position, or end there.
  int32_t LineOf(int32_t position) const { return points_[position].line; }
  const std::vector<ByteAccess>& all() const { return accesses_; }
  // Index in all() of the first access of instruction `flat`; reads come before
  // writes. Of num_instructions(): the number of accesses.
  int32_t BeginOf(int32_t flat) const { return begins_[flat]; }

 private:
  struct Point {
    int32_t line;
    uint64_t offset;
    friend auto operator<=>(const Point&, const Point&) = default;  // NOLINT
  };
  struct Lines;

  ByteAccesses(const Function& function, const Lines& lines);
  void Add(const Function& function, const Lines& lines, int32_t flat,
           const Access& access, bool write);
  void NumberPositions();

  int32_t num_positions_ = 0;
  std::vector<ByteAccess> accesses_;
  std::vector<int32_t> begins_ = {0};
  std::vector<Point> points_;  // by position; two per access until numbered
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_DEPENDENCE_BYTE_ACCESSES_H_
