#include "tools/diff/contender.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "allocator/base/check.h"
#include "allocator/base/status_macros.h"
#include "allocator/interference/block_tree.h"
#include "allocator/interference/linear_scan.h"
#include "allocator/interference/matrix.h"
#include "allocator/interference/node_tree.h"
#include "allocator/interference/oracle.h"
#include "allocator/interference/red_black_tree.h"
#include "allocator/interference/sweep.h"
#include "allocator/interference/window_lists.h"
#include "allocator/model/names.h"
#include "tools/external/external_planner.h"

namespace berth {
namespace {

using Answers = std::vector<std::vector<int32_t>>;

template <InterferenceOracle Oracle>
Answers Ask(const std::vector<OwnedInterval>& set,
            const std::vector<Interval>& queries) {
  Oracle oracle(set);
  Answers answers;
  const auto add = [&answers](IdList& ids) {
    std::sort(ids.begin(), ids.end());
    answers.emplace_back(ids.begin(), ids.end());
  };
  for (size_t i = 0; i < set.size(); ++i) {
    IdList ids;
    BERTH_CHECK(oracle.OverlapsOf(static_cast<int32_t>(i), &ids).ok());
    add(ids);
  }
  for (const Interval& query : queries) {
    IdList ids;
    oracle.Overlaps(query.lo, query.hi, &ids);
    add(ids);
  }
  return answers;
}

struct NamedOracle {
  const char* name;
  Answers (*ask)(const std::vector<OwnedInterval>&,
                 const std::vector<Interval>&);
};

constexpr NamedOracle kOracles[] = {
    {"emission-tree", Ask<EmissionTree>},
    {"sorted-tree", Ask<SortedNodeTree>},
    {"block-tree", Ask<BlockTree>},
    {"red-black", Ask<RedBlackTree>},
    {"matrix", Ask<Matrix>},
    {"linear-scan", Ask<LinearScan>},
    {"sweep", Ask<Sweep>},
    {"window-lists", Ask<WindowLists>},
};

const NamedOracle* FindOracle(absl::string_view name) {
  for (const NamedOracle& oracle : kOracles) {
    if (name == oracle.name) return &oracle;
  }
  return nullptr;
}

}  // namespace

const std::vector<std::string>& OracleNames() {
  static const auto* const names = [] {
    auto* all = new std::vector<std::string>();
    for (const NamedOracle& oracle : kOracles) all->push_back(oracle.name);
    return all;
  }();
  return *names;
}

absl::StatusOr<Contender> ParseContender(absl::string_view name) {
  Contender contender;
  contender.name = std::string(name);
  if (const auto command = ExternalCommandOf(name); command.has_value()) {
    BERTH_RETURN_IF_ERROR(CheckExternalCommand(*command));
    contender.kind = Contender::Kind::kExternal;
    contender.command = *command;
    return contender;
  }
  if (const auto planner = ParsePlanner(name); planner.has_value()) {
    contender.planner = *planner;
    return contender;
  }
  if (FindOracle(name) != nullptr) {
    contender.kind = Contender::Kind::kOracle;
    return contender;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("'", name,
                   "' is neither a planner (reference, briggs, greedy, tight, "
                   "cmd:COMMAND) nor an oracle (",
                   absl::StrJoin(OracleNames(), ", "), ")"));
}

std::vector<std::vector<int32_t>> OracleAnswers(
    absl::string_view name, const std::vector<OwnedInterval>& set,
    const std::vector<Interval>& queries) {
  const NamedOracle* const oracle = FindOracle(name);
  BERTH_CHECK(oracle != nullptr);
  return oracle->ask(set, queries);
}

}  // namespace berth
