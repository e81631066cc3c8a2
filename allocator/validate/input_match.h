// I5: the placed program beside the input it came from.
#ifndef BERTH_ALLOCATOR_VALIDATE_INPUT_MATCH_H_
#define BERTH_ALLOCATOR_VALIDATE_INPUT_MATCH_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "allocator/model/program.h"
#include "allocator/validate/findings.h"

namespace berth::validation {

// Finds each placed location in the input by core, function and name. Reports
// as I5 what is missing, added or changed in anything but what placement
// writes, a pin whose address is another, a location that is not placeable but
// was given an address, and code that is not the input's.
class InputMatch {
 public:
  // Of a null `input` nothing is known and nothing reported. `keep`: every
  // address of the input is a pin. Cost: O(locations), hashed only where the
  // order of names differs, and O(accesses).
  InputMatch(const Program& placed, const Program* input, bool keep,
             Findings* findings);

  // Per location of `function`, which is of `placed`, its input or null; empty
  // if there is no input at all.
  absl::Span<const Location* const> Of(const Function& function) const;

 private:
  void MatchModule(const Module& placed, const Module* input);
  // False if it reported something.
  bool MatchFunction(const Where& where, const Function& placed,
                     const Function* input);

  const bool keep_;
  Findings* const findings_;
  absl::flat_hash_map<const Function*, std::vector<const Location*>> inputs_;
};

}  // namespace berth::validation

#endif  // BERTH_ALLOCATOR_VALIDATE_INPUT_MATCH_H_
