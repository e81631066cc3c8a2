#include "allocator/model/names.h"

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/check.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"

namespace berth {
namespace {

// The first of `values` whose Name() is `text`.
template <typename Enum, size_t N>
std::optional<Enum> ParseName(absl::string_view text, const Enum (&values)[N]) {
  for (const Enum value : values) {
    if (Name(value) == text) return value;
  }
  return std::nullopt;
}

}  // namespace

absl::string_view Name(MemoryType type) {
  switch (type) {
    case MemoryType::kDram:
      return "DRAM";
    case MemoryType::kSbuf:
      return "SBUF";
    case MemoryType::kPsum:
      return "PSUM";
  }
  BERTH_CHECK(false && "MemoryType");
}

absl::string_view Name(Space space) {
  switch (space) {
    case Space::kLocal:
      return "LOCAL";
    case Space::kShared:
      return "SHARED";
  }
  BERTH_CHECK(false && "Space");
}

absl::string_view Name(Usage usage) {
  switch (usage) {
    case Usage::kInput:
      return "INPUT";
    case Usage::kOutput:
      return "OUTPUT";
    case Usage::kWeight:
      return "WEIGHT";
    case Usage::kConstant:
      return "CONSTANT";
    case Usage::kIntermediate:
      return "INTERMEDIATE";
    case Usage::kSpill:
      return "SPILL";
  }
  BERTH_CHECK(false && "Usage");
}

absl::string_view Name(PlacedBy placed_by) {
  switch (placed_by) {
    case PlacedBy::kNone:
      return "NONE";
    case PlacedBy::kInput:
      return "INPUT";
    case PlacedBy::kBerth:
      return "BERTH";
    case PlacedBy::kSync:
      return "SYNC";
  }
  BERTH_CHECK(false && "PlacedBy");
}

absl::string_view Name(InstructionKind kind) {
  switch (kind) {
    case InstructionKind::kCompute:
      return "COMPUTE";
    case InstructionKind::kDmaCopy:
      return "DMA_COPY";
    case InstructionKind::kCollective:
      return "COLLECTIVE";
    case InstructionKind::kBarrier:
      return "BARRIER";
    case InstructionKind::kCall:
      return "CALL";
  }
  BERTH_CHECK(false && "InstructionKind");
}

absl::string_view Name(SizeRounding rounding) {
  return rounding == SizeRounding::kPage ? "page" : "none";
}

absl::string_view Name(LinkMode mode) {
  return mode == LinkMode::kPre ? "pre" : "post";
}

absl::string_view Name(Emission emission) {
  return emission == Emission::kMerged ? "merged" : "per-edge";
}

absl::string_view Name(Planner planner) {
  switch (planner) {
    case Planner::kReference:
      return "reference";
    case Planner::kBriggs:
      return "briggs";
    case Planner::kGreedy:
      return "greedy";
    case Planner::kTight:
      return "tight";
  }
  BERTH_CHECK(false && "Planner");
}

absl::string_view Name(CsvMemory memory) {
  return memory == CsvMemory::kOther ? "other" : "dram";
}

std::optional<SizeRounding> ParseSizeRounding(absl::string_view text) {
  return ParseName(text, {SizeRounding::kPage, SizeRounding::kNone});
}

std::optional<LinkMode> ParseLinkMode(absl::string_view text) {
  return ParseName(text, {LinkMode::kPre, LinkMode::kPost});
}

std::optional<Emission> ParseEmission(absl::string_view text) {
  return ParseName(text, {Emission::kMerged, Emission::kPerEdge});
}

std::optional<Planner> ParsePlanner(absl::string_view text) {
  return ParseName(text, {Planner::kReference, Planner::kBriggs,
                          Planner::kGreedy, Planner::kTight});
}

std::optional<CsvMemory> ParseCsvMemory(absl::string_view text) {
  return ParseName(text, {CsvMemory::kOther, CsvMemory::kDram});
}

std::string InstructionLabel(const Instruction& instruction, int32_t flat) {
  return instruction.name.empty() ? absl::StrCat("#", flat) : instruction.name;
}

}  // namespace berth
