#include "tools/external/external_planner.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "allocator/base/status_macros.h"
#include "allocator/formats/csv.h"
#include "tools/cli/files.h"

namespace berth {
namespace {

constexpr absl::string_view kPrefix = "cmd:";

// Where the two columns are that we believe.
struct Columns {
  size_t id = 0;
  size_t offset = 0;
  size_t count = 0;
};

std::vector<absl::string_view> Fields(absl::string_view line) {
  return absl::StrSplit(line, ',');
}

absl::StatusOr<Columns> ReadHeader(absl::string_view line) {
  const std::vector<absl::string_view> names = Fields(line);
  std::optional<size_t> id;
  std::optional<size_t> offset;
  for (size_t i = 0; i < names.size(); ++i) {
    const absl::string_view name = names[i];
    if (name == "id" || name == "buffer" || name == "buffer_id") id = i;
    if (name == "offset") offset = i;
  }
  if (!id.has_value() || !offset.has_value()) {
    return absl::InvalidArgumentError(
        "line 1: a header with the columns id and offset is missing");
  }
  return Columns{*id, *offset, names.size()};
}

// The input as the planner gets it: an offset column only if there are pins,
// since some readers know no such column.
std::string InputText(const Instance& instance) {
  const CsvDocument document = ToCsvDocument(instance);
  const bool pins =
      std::any_of(instance.buffers.begin(), instance.buffers.end(),
                  [](const Buffer& b) { return b.offset.has_value(); });
  if (pins) return WriteCsv(document);
  std::string text = absl::StrCat(absl::StrJoin(document.columns, ","), "\n");
  for (size_t i = 0; i < document.rows.size(); ++i) {
    absl::StrAppend(&text, document.rows[i], "\n");
  }
  return text;
}

// The last line that says something, for messages.
std::string LastLine(absl::string_view output) {
  output = absl::StripTrailingAsciiWhitespace(output);
  const size_t end = output.rfind('\n');
  if (end != absl::string_view::npos) output = output.substr(end + 1);
  return output.empty() ? "" : absl::StrCat(" (", output, ")");
}

// What the end of the process alone decides; nullopt: look at its output.
std::optional<ExternalOutcome> OutcomeOf(const ProcessResult& process) {
  if (process.timed_out) return ExternalOutcome::kTimedOut;
  if (process.signal != 0) return ExternalOutcome::kCrashed;
  if (process.exit_code != 0) return ExternalOutcome::kFailed;
  return std::nullopt;
}

std::string WhyEnded(const ProcessResult& process, double limit_seconds) {
  const std::string tail = LastLine(process.output);
  if (process.timed_out) {
    return absl::StrCat("not done after ", limit_seconds, " s", tail);
  }
  if (process.signal != 0) {
    return absl::StrCat("ended by signal ", process.signal, tail);
  }
  return absl::StrCat("exit code ", process.exit_code, tail);
}

uint64_t PeakOf(const Instance& placed) {
  uint64_t peak = 0;
  for (const Buffer& buffer : placed.buffers) {
    if (buffer.size > 0) peak = std::max(peak, *buffer.offset + buffer.size);
  }
  return peak;
}

// Reads and judges what the planner wrote.
void Judge(const std::string& path, const Instance& instance,
           const ExternalOptions& options, ExternalResult& result) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    result.outcome = ExternalOutcome::kNoOutput;
    result.message = absl::StrCat("nothing written to {out}",
                                  LastLine(result.process.output));
    return;
  }
  const absl::StatusOr<std::string> text = ReadFile(path);
  Instance placed = instance;
  const absl::Status read =
      text.ok() ? ReadOffsets(*text, placed)
                : absl::InvalidArgumentError(text.status().message());
  if (!read.ok()) {
    result.outcome = absl::IsNotFound(read) ? ExternalOutcome::kMissingIds
                                            : ExternalOutcome::kGarbage;
    result.message = std::string(read.message());
    return;
  }
  ValidateOptions validate;
  validate.plan = options.plan;
  result.report = ValidateInstance(placed, &instance, validate);
  result.placed = std::move(placed);
  if (result.report.ok()) {
    result.outcome = ExternalOutcome::kValid;
    result.peak = PeakOf(result.placed);
  } else {
    result.outcome = ExternalOutcome::kInvalid;
    result.message = result.report.violations.front().message;
  }
}

}  // namespace

absl::string_view Name(ExternalOutcome outcome) {
  switch (outcome) {
    case ExternalOutcome::kValid:
      return "valid";
    case ExternalOutcome::kInvalid:
      return "invalid";
    case ExternalOutcome::kMissingIds:
      return "missing ids";
    case ExternalOutcome::kGarbage:
      return "garbage";
    case ExternalOutcome::kNoOutput:
      return "no output";
    case ExternalOutcome::kFailed:
      return "failed";
    case ExternalOutcome::kCrashed:
      return "crashed";
    case ExternalOutcome::kTimedOut:
      return "timed out";
  }
  return "";
}

absl::Status CheckExternalCommand(absl::string_view command) {
  for (const absl::string_view part : {"{in}", "{out}"}) {
    if (!absl::StrContains(command, part)) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", command, "' has no ", part,
                       ": a planner's command line reads {in} and writes "
                       "{out}; {capacity} is optional"));
    }
  }
  return absl::OkStatus();
}

std::optional<std::string> ExternalCommandOf(absl::string_view name) {
  if (!absl::ConsumePrefix(&name, kPrefix)) return std::nullopt;
  return std::string(name);
}

absl::Status ReadOffsets(absl::string_view text, Instance& placed) {
  absl::flat_hash_map<absl::string_view, size_t> index;
  for (size_t i = 0; i < placed.buffers.size(); ++i) {
    index.emplace(placed.buffers[i].id, i);
  }
  std::vector<bool> seen(placed.buffers.size(), false);
  std::vector<std::optional<uint64_t>> offsets(placed.buffers.size());
  std::optional<Columns> columns;
  int64_t line_number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++line_number;
    absl::ConsumeSuffix(&line, "\r");
    if (line.empty() || line[0] == '#') continue;
    if (!columns.has_value()) {
      BERTH_ASSIGN_OR_RETURN(columns, ReadHeader(line));
      continue;
    }
    const auto fault = [line_number](absl::string_view what) {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", line_number, ": ", what));
    };
    const std::vector<absl::string_view> fields = Fields(line);
    if (fields.size() != columns->count) return fault("fields are missing");
    const auto found = index.find(fields[columns->id]);
    if (found == index.end()) {
      return fault(
          absl::StrCat("no buffer is called '", fields[columns->id], "'"));
    }
    if (seen[found->second]) {
      return fault(absl::StrCat("'", found->first, "' a second time"));
    }
    seen[found->second] = true;
    const absl::string_view offset = fields[columns->offset];
    if (offset.empty() || offset == "-1") continue;
    uint64_t value = 0;
    if (!absl::SimpleAtoi(offset, &value)) {
      return fault(absl::StrCat(
          "'", offset, "' is no offset: 0 to 2^64 - 1, or -1 for none"));
    }
    offsets[found->second] = value;
  }
  if (!columns.has_value()) return absl::InvalidArgumentError("it is empty");
  int64_t missing = 0;
  for (const auto& offset : offsets) missing += offset.has_value() ? 0 : 1;
  for (size_t i = 0; i < offsets.size(); ++i) {
    if (!offsets[i].has_value()) {
      return absl::NotFoundError(
          absl::StrCat("'", placed.buffers[i].id, "' has no offset; ", missing,
                       " of ", offsets.size(), " have none"));
    }
    placed.buffers[i].offset = offsets[i];
  }
  return absl::OkStatus();
}

absl::StatusOr<ExternalResult> RunExternal(const ExternalPlanner& planner,
                                           const Instance& instance,
                                           const ExternalOptions& options) {
  BERTH_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Make());
  const std::string in = folder.path() + "/in.csv";
  const std::string out = folder.path() + "/out.csv";
  BERTH_RETURN_IF_ERROR(WriteFile(in, InputText(instance)));
  const std::string command = absl::StrReplaceAll(
      planner.command,
      {{"{in}", ShellQuoted(in)},
       {"{out}", ShellQuoted(out)},
       {"{capacity}", absl::StrCat(options.plan.capacity_bytes)}});
  ExternalResult result;
  BERTH_ASSIGN_OR_RETURN(result.process, RunProcess(command, options.limits));
  const std::optional<ExternalOutcome> ended = OutcomeOf(result.process);
  if (ended.has_value()) {
    result.outcome = *ended;
    result.message = WhyEnded(result.process, options.limits.seconds);
    return result;
  }
  Judge(out, instance, options, result);
  return result;
}

}  // namespace berth
