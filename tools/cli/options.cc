#include "tools/cli/options.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "allocator/base/int_math.h"
#include "allocator/model/names.h"
#include "allocator/model/options.h"
#include "tools/cli/arguments.h"

namespace berth {
namespace {

constexpr char kPlacementGroup[] = "Placement";
constexpr char kProgramGroup[] = "Programs";
constexpr char kCsvGroup[] = "CSV problems";

// An option whose text `parse` turns into a value of `target`.
template <typename T>
void AddParsed(Command& command, const std::string& name,
               const std::string& type, const std::string& help,
               std::function<std::optional<T>(absl::string_view)> parse,
               T& target, const char* group) {
  command
      .Parsed(name, help,
              [parse = std::move(parse), &target](const std::string& text) {
                const auto value = parse(text);
                if (value.has_value()) target = *value;
                return value.has_value();
              })
      .Type(type)
      .Group(group);
}

std::optional<int64_t> ParseAllreduceMib(absl::string_view text) {
  int64_t mib = 0;
  if (!absl::SimpleAtoi(text, &mib) || mib < -1) return std::nullopt;
  return mib;
}

std::optional<uint64_t> ParseCount(absl::string_view text) {
  uint64_t count = 0;
  if (!absl::SimpleAtoi(text, &count)) return std::nullopt;
  return count;
}

std::optional<double> ParseSeconds(absl::string_view text) {
  double seconds = 0;
  if (!absl::SimpleAtod(text, &seconds) || !(seconds > 0) || seconds > 1e9) {
    return std::nullopt;
  }
  return seconds;
}

}  // namespace

std::optional<uint64_t> ParseBytes(absl::string_view text) {
  uint64_t unit = 1;
  if (absl::ConsumeSuffix(&text, "KiB")) {
    unit = uint64_t{1} << 10;
  } else if (absl::ConsumeSuffix(&text, "MiB")) {
    unit = uint64_t{1} << 20;
  } else if (absl::ConsumeSuffix(&text, "GiB")) {
    unit = uint64_t{1} << 30;
  }
  uint64_t count = 0;
  if (text.empty() || text[0] < '0' || text[0] > '9' ||
      !absl::SimpleAtoi(text, &count)) {
    return std::nullopt;
  }
  return CheckedMul(count, unit);
}

void AddPlanOptions(Command& command, PlanOptions& options, CsvOptions& csv) {
  AddParsed<Planner>(command, "--planner", "reference|briggs|greedy|tight",
                     "which planner places (default briggs)", ParsePlanner,
                     options.planner, kPlacementGroup);
  AddParsed<uint64_t>(command, "--budget-steps", "N",
                      absl::StrCat("steps of the tight planner's search "
                                   "(default ",
                                   PlanOptions().budget_steps, ")"),
                      ParseCount, options.budget_steps, kPlacementGroup);
  AddParsed<SizeRounding>(command, "--size-rounding", "page|none",
                          "size that the search uses (default page)",
                          ParseSizeRounding, options.size_rounding,
                          kPlacementGroup);
  command
      .Flag("--keep", options.keep,
            "keep addresses that an earlier plan gave: they become pins")
      .Group(kPlacementGroup);

  AddParsed<Emission>(command, "--emission", "merged|per-edge",
                      "how live ranges become intervals (default merged)",
                      ParseEmission, options.emission, kProgramGroup);
  AddParsed<LinkMode>(command, "--link-mode", "pre|post",
                      "pre: place above pre-placed locations; post: among them "
                      "(default pre)",
                      ParseLinkMode, options.link_mode, kProgramGroup);
  AddParsed<uint64_t>(command, "--hbm-per-core", "BYTES",
                      "the window of every core (default 24GiB)", ParseBytes,
                      options.hbm_per_core_bytes, kProgramGroup);
  AddParsed<int64_t>(command, "--allreduce-buffer-size", "MIB",
                     "CC region; -1 sizes it from the collectives (default "
                     "500)",
                     ParseAllreduceMib, options.allreduce_buffer_mib,
                     kProgramGroup);
  AddParsed<uint64_t>(command, "--shared-mb-per-core", "MIB",
                      "a slab of the shared space for each owner core; 0 is "
                      "one common run (default 0)",
                      ParseCount, options.shared_mb_per_core, kProgramGroup);
  command
      .Flag("--disable-dram-allocation", options.disable_dram_allocation,
            "leave out local allocation and the passes that go with it")
      .Group(kProgramGroup);
  command
      .Flag("--allow-unaddressed", options.allow_unaddressed,
            "do not refuse accessed locations without address")
      .Group(kProgramGroup);
  command
      .Flag("--dram-rotation", options.dram_rotation,
            "spread addresses, so that placement makes fewer dependences")
      .Group(kProgramGroup);
  AddParsed<uint64_t>(command, "--dram-rotation-cap", "BYTES",
                      "room for --dram-rotation above the floor (default 8GiB)",
                      ParseBytes, options.dram_rotation_cap_bytes,
                      kProgramGroup);
  command
      .Nothing("--disable-dram-rotation",
               "keep addresses as low as placed (the default)")
      .Group(kProgramGroup);
  command
      .Parsed(
          "--dram-page-size",
          "of another memory: accepted, changes no DRAM address",
          [](const std::string& text) { return ParseBytes(text).has_value(); })
      .Type("BYTES")
      .Group(kProgramGroup);

  AddParsed<uint64_t>(command, "--capacity", "BYTES",
                      "the ceiling (default 2^63 - 1)", ParseBytes,
                      options.capacity_bytes, kCsvGroup);
  AddParsed<CsvMemory>(command, "--memory", "other|dram",
                       "dram applies the page rule (default other)",
                       ParseCsvMemory, options.csv_memory, kCsvGroup);
  command
      .Flag("--ignore-columns", csv.ignore_columns,
            "accept columns of other names; they are kept, not read")
      .Group(kCsvGroup);
}

OptionNotes CheckPlanOptions(const Command& command, const PlanOptions&) {
  OptionNotes result;
  if (command.Given("--dram-rotation") &&
      command.Given("--disable-dram-rotation")) {
    result.error =
        "--dram-rotation and --disable-dram-rotation contradict each other";
  }
  if (command.Given("--dram-page-size")) {
    result.notes.push_back(
        "--dram-page-size belongs to another memory and changes no DRAM "
        "address: the DRAM page is 4096 bytes");
  }
  return result;
}

void AddTimeLimit(Command& command, std::optional<double>& seconds,
                  const std::string& what) {
  command
      .Parsed("--time-limit", what,
              [&seconds](const std::string& text) {
                seconds = ParseSeconds(text);
                return seconds.has_value();
              })
      .Type("S")
      .Group(kPlacementGroup);
}

}  // namespace berth
