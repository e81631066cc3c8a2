// The memories that a placed program runs on: one per core, and one that all
// share. Executes events of a trace and says what a use should have seen.
//
// Thread-safety: none for one object. Copies are independent.
#ifndef BERTH_ALLOCATOR_SIMULATE_MEMORIES_H_
#define BERTH_ALLOCATOR_SIMULATE_MEMORIES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "allocator/simulate/byte_map.h"
#include "allocator/simulate/expectation.h"
#include "allocator/simulate/layout.h"
#include "allocator/simulate/trace.h"

namespace berth::machine {

// A use that saw other bytes than it should have.
struct Fault {
  int32_t core = 0;
  int32_t event = -1;       // -1: at the end of the program
  ExpectedBytes expected;   // its part that differs begins at `first`
  uint64_t first = 0;       // offset in the location
  Tag wanted;               // of that byte
  std::optional<Tag> seen;  // nullopt: nobody wrote it
};

class Memories {
 public:
  // With WEIGHT, CONSTANT and SHARED INPUT loaded.
  Memories(const Layout& layout, const Trace& trace,
           const Expectation& expectation);

  // Checks what the event reads. Cost: O((runs read) log runs).
  std::optional<Fault> Read(int32_t core, int32_t event) const;
  // Writes what it writes.
  void Write(int32_t core, int32_t event);
  // Checks the shared results after all is done.
  std::optional<Fault> AtEnd() const;

  // Equal only for equal contents.
  std::string Fingerprint() const;

 private:
  // Calls visit(map, lo, hi) for each part of bytes [lo, hi) of a core's window
  // by the memory it is in.
  template <typename Visit>
  static void ForEachPart(const Layout& layout, bool shared, uint64_t lo,
                          uint64_t hi, Visit visit);
  void Put(int32_t core, const LocationPlace& place, uint64_t offset,
           uint64_t bytes, const Tag& tag);
  std::optional<Fault> Check(int32_t core, int32_t event,
                             absl::Span<const ExpectedBytes> expected) const;

  const Layout* layout_;
  const Trace* trace_;
  const Expectation* expectation_;
  std::vector<ByteMap> private_;  // by core
  ByteMap shared_;
};

}  // namespace berth::machine

#endif  // BERTH_ALLOCATOR_SIMULATE_MEMORIES_H_
