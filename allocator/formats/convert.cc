#include "allocator/formats/convert.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "allocator/base/check.h"
#include "allocator/base/int_math.h"
#include "allocator/base/status_macros.h"
#include "allocator/formats/csv.h"
#include "allocator/model/check_program.h"
#include "allocator/model/instance.h"
#include "allocator/model/intervals.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"

namespace berth {
namespace {

// A maximal half-open piece of a buffer's lifetime.
struct Piece {
  int32_t buffer = 0;
  int64_t lower = 0;
  int64_t upper = 0;
};

// Pieces in file order; gaps that touch are one gap.
std::vector<Piece> Pieces(const Instance& instance) {
  std::vector<Piece> pieces;
  pieces.reserve(instance.buffers.size());
  for (size_t i = 0; i < instance.buffers.size(); ++i) {
    const Buffer& buffer = instance.buffers[i];
    Piece piece = {static_cast<int32_t>(i), buffer.lower, 0};
    for (const Gap& gap : buffer.gaps) {
      piece.upper = gap.lower;
      if (piece.lower < piece.upper) pieces.push_back(piece);
      piece.lower = gap.upper;
    }
    piece.upper = buffer.upper;
    pieces.push_back(piece);
  }
  return pieces;
}

Location ToLocation(const Buffer& buffer) {
  Location location;
  location.name = buffer.id;
  location.elem_count = buffer.size;
  location.alignment = buffer.alignment;
  location.address = buffer.offset;
  if (buffer.offset) location.placed_by = PlacedBy::kInput;
  return location;
}

// One instruction for each distinct start of a piece.
std::vector<Instruction> ToInstructions(const std::vector<Piece>& pieces) {
  std::vector<int64_t> starts;
  starts.reserve(pieces.size());
  for (const Piece& piece : pieces) starts.push_back(piece.lower);
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  std::vector<Instruction> instructions(starts.size());
  for (size_t i = 0; i < starts.size(); ++i) {
    instructions[i].name = absl::StrCat("t", starts[i]);
  }
  // The number of starts before `time`.
  const auto rank = [&](int64_t time) {
    return std::lower_bound(starts.begin(), starts.end(), time) -
           starts.begin();
  };
  for (const Piece& piece : pieces) {
    const auto first = rank(piece.lower);
    const auto last = rank(piece.upper) - 1;
    instructions[first].defs.push_back({.location = piece.buffer});
    // A def that nothing uses occupies its own instruction, which is all.
    if (last > first) {
      instructions[last].uses.push_back({.location = piece.buffer});
    }
  }
  return instructions;
}

// The buffer of a location that takes part; runs is not empty.
absl::StatusOr<Buffer> ToBuffer(const Location& location,
                                absl::Span<const Interval> runs,
                                SizeRounding rounding) {
  const auto error = [&](absl::string_view what) {
    return absl::InvalidArgumentError(absl::StrCat(
        "location ", QuotedName(location.name), " has no CSV form: ", what));
  };
  if (const char* const why = CsvIdFault(location.name)) {
    return error(absl::StrCat("its name ", why));
  }
  Buffer buffer;
  buffer.id = location.name;
  buffer.lower = runs.front().lo;
  buffer.upper = int64_t{runs.back().hi} + 1;
  buffer.size = rounding == SizeRounding::kNone || location.pinned()
                    ? location.byte_size()
                    : location.aligned_size();
  buffer.alignment = location.alignment;
  buffer.offset = location.address;
  constexpr uint64_t kMost = kNoCapacity;  // 2^63 - 1
  if (buffer.size > kMost || buffer.alignment > kMost ||
      buffer.offset.value_or(0) > kMost) {
    return error("its size, alignment or address passes 2^63 - 1");
  }
  for (size_t i = 1; i < runs.size(); ++i) {
    buffer.gaps.push_back({int64_t{runs[i - 1].hi} + 1, runs[i].lo});
  }
  return buffer;
}

}  // namespace

absl::StatusOr<ConvertedProgram> ToProgram(const Instance& instance) {
  for (const Buffer& buffer : instance.buffers) {
    for (const Gap& gap : buffer.gaps) {
      if (!gap.window.has_value()) continue;
      return absl::InvalidArgumentError(absl::StrCat(
          "'", buffer.id, "': a program has nothing like the window ",
          gap.window->lower, ":", gap.window->upper, " of a gap"));
    }
  }
  const std::vector<Piece> pieces = Pieces(instance);
  if (pieces.size() >= static_cast<size_t>(kMaxCount)) {
    return absl::InvalidArgumentError(absl::StrCat(
        pieces.size(), " pieces of lifetimes, and 2^31 - 2 is the most"));
  }
  Function function;
  function.name = "main";
  function.locations.reserve(instance.buffers.size());
  for (const Buffer& buffer : instance.buffers) {
    function.locations.push_back(ToLocation(buffer));
  }
  Block block;
  block.name = "entry";
  block.instructions = ToInstructions(pieces);
  const size_t instructions = block.instructions.size();
  function.blocks.push_back(std::move(block));

  ConvertedProgram converted;
  Module module;
  module.functions.push_back(std::move(function));
  converted.program.modules.push_back(std::move(module));
  BERTH_RETURN_IF_ERROR(CheckProgram(converted.program));
  converted.notes.push_back(
      "locations are DRAM: page rules (4096 bytes) start to hold");
  converted.notes.push_back(absl::StrCat("times became ", instructions,
                                         " instructions: their order is kept, "
                                         "their distances are not"));
  if (pieces.size() > instance.buffers.size()) {
    converted.notes.push_back(
        absl::StrCat(pieces.size() - instance.buffers.size(),
                     " gaps became a use before and a full def behind them"));
  }
  return converted;
}

absl::StatusOr<ConvertedInstance> ToInstance(const Function& function,
                                             const IntervalTable& occupied,
                                             Space space,
                                             SizeRounding rounding) {
  BERTH_CHECK(static_cast<size_t>(occupied.size()) ==
              function.locations.size());
  ConvertedInstance converted;
  int64_t elsewhere = 0;
  int64_t external = 0;
  int64_t without_access = 0;
  for (size_t i = 0; i < function.locations.size(); ++i) {
    const Location& location = function.locations[i];
    const auto runs = occupied.of(static_cast<int32_t>(i));
    if (location.type != MemoryType::kDram || location.space != space) {
      ++elsewhere;
    } else if (!location.placeable() && !location.address) {
      ++external;
    } else if (runs.empty()) {
      ++without_access;
    } else {
      BERTH_ASSIGN_OR_RETURN(Buffer buffer, ToBuffer(location, runs, rounding));
      converted.instance.buffers.push_back(std::move(buffer));
    }
  }
  const auto note = [&](int64_t count, const char* what) {
    if (count > 0) converted.notes.push_back(absl::StrCat(count, what));
  };
  converted.notes.push_back(
      "a CSV has no page rules unless it is placed with --memory=dram");
  note(elsewhere, " locations of another memory or space are left out");
  note(external, " locations that the runtime places are left out");
  note(without_access, " locations without an access are left out");
  return converted;
}

}  // namespace berth
