// The allocator's options as command-line options, one spelling for all
// commands (cli.md, spec.md).
#ifndef BERTH_TOOLS_CLI_OPTIONS_H_
#define BERTH_TOOLS_CLI_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "allocator/formats/csv.h"
#include "allocator/model/options.h"
#include "tools/cli/arguments.h"

namespace berth {

// "4096", "4KiB", "24GiB": bytes. nullopt for anything else or past u64.
std::optional<uint64_t> ParseBytes(absl::string_view text);

// Adds every option that decides a placement, into `options`. Values are
// checked while parsing; --dram-page-size is accepted and noted as without
// effect.
void AddPlanOptions(Command& command, PlanOptions& options, CsvOptions& csv);

// Options that contradict each other or were given without effect: an error
// text (usage), or notes for standard error.
struct OptionNotes {
  std::string error;
  std::vector<std::string> notes;
};
OptionNotes CheckPlanOptions(const Command& command,
                             const PlanOptions& options);

// --time-limit S; unset: no limit. `what` is for --help.
void AddTimeLimit(Command& command, std::optional<double>& seconds,
                  const std::string& what);

}  // namespace berth

#endif  // BERTH_TOOLS_CLI_OPTIONS_H_
