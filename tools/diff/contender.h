// Whatever `berth diff` compares: our planners, external ones, and the
// interference oracles, by name.
//
// Thread-safety: const use from several threads is safe.
#ifndef BERTH_TOOLS_DIFF_CONTENDER_H_
#define BERTH_TOOLS_DIFF_CONTENDER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "allocator/model/intervals.h"
#include "allocator/model/options.h"

namespace berth {

struct Contender {
  enum class Kind : uint8_t { kPlanner, kExternal, kOracle };
  std::string name;  // as given
  Kind kind = Kind::kPlanner;
  Planner planner = Planner::kBriggs;  // kPlanner
  std::string command;                 // kExternal

  // Reference and briggs: the contract decides every address (spec §7-§9).
  bool by_contract() const {
    return kind == Kind::kPlanner &&
           (planner == Planner::kReference || planner == Planner::kBriggs);
  }
};

// "briggs", "cmd:./peer {in} {out}", "block-tree", ...; kInvalidArgument that
// lists all names.
absl::StatusOr<Contender> ParseContender(absl::string_view name);

// Names of the oracles, in the order in which messages list them.
const std::vector<std::string>& OracleNames();

// For every stored interval and every interval of `queries`, the sorted ids
// that the oracle reports. REQUIRES: a name of OracleNames().
std::vector<std::vector<int32_t>> OracleAnswers(
    absl::string_view name, const std::vector<OwnedInterval>& set,
    const std::vector<Interval>& queries);

}  // namespace berth

#endif  // BERTH_TOOLS_DIFF_CONTENDER_H_
