// Owners and copies of shared locations (spec §10), and I4.
#ifndef BERTH_ALLOCATOR_VALIDATE_SHARED_OWNERS_H_
#define BERTH_ALLOCATOR_VALIDATE_SHARED_OWNERS_H_

#include <cstdint>
#include <vector>

#include "allocator/validate/findings.h"
#include "allocator/validate/program_facts.h"

namespace berth::validation {

// A location of ProgramFacts::functions[function].
struct LocationRef {
  int32_t function = -1;
  int32_t location = -1;
};

struct SharedOwners {
  // The SHARED DRAM locations that stand for themselves, owners by core, then
  // file order.
  std::vector<LocationRef> owners;
  // Per function and location the position in `owners` of what it is a copy of
  // (an owner: itself); -1: not shared, or its chain of targets leads nowhere.
  // A function without shared locations has no entries.
  std::vector<std::vector<int32_t>> owner_of;

  int32_t OwnerOf(int32_t function, int32_t location) const {
    const auto& row = owner_of[function];
    return row.empty() ? -1 : row[location];
  }
};

// Follows every chain of remote targets. One that leads nowhere, or in a
// circle, or to what is no shared DRAM location, is I4. Cost: O(locations +
// cores * copies).
SharedOwners FindSharedOwners(const ProgramFacts& facts, Findings* findings);

// I4: every copy has the address, partition, bank and size of its owner.
// Partition and bank are 0 unless given. In a program whose SHARED runs were
// recorded, whatever has an address bears the mark. Cost: O(copies).
void CheckCopies(const ProgramFacts& facts, const SharedOwners& shared,
                 Findings* findings);

}  // namespace berth::validation

#endif  // BERTH_ALLOCATOR_VALIDATE_SHARED_OWNERS_H_
