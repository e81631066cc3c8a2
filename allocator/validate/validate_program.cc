#include <utility>
#include <vector>

#include "allocator/model/program.h"
#include "allocator/validate/findings.h"
#include "allocator/validate/floors.h"
#include "allocator/validate/local_runs.h"
#include "allocator/validate/program_facts.h"
#include "allocator/validate/shared_owners.h"
#include "allocator/validate/shared_runs.h"
#include "allocator/validate/validate.h"

namespace berth {

Report ValidateProgram(const Program& placed, const Program* input,
                       const ValidateOptions& options) {
  using namespace validation;  // NOLINT: the rooms of this one room
  Findings findings;
  const ProgramFacts facts = CollectFacts(placed, input, options, &findings);
  const Floors floors = RecomputeFloors(facts);
  const std::vector<std::vector<bool>> accessed =
      CheckLocalRuns(facts, floors, options, &findings);
  const SharedOwners shared = FindSharedOwners(facts, &findings);
  CheckCopies(facts, shared, &findings);
  CheckSharedRuns(facts, floors, shared, accessed, options, &findings);
  CheckSharedAgainstPrivate(facts, &findings);
  return std::move(findings).Finish();
}

}  // namespace berth
