#include "allocator/validate/code_match.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/model/program.h"

namespace berth::validation {
namespace {

using Bytes = std::pair<uint64_t, uint64_t>;  // offset, extent

Bytes BytesOf(const Function& function, const Access& access) {
  if (access.extent_bytes > 0) {
    return {access.offset_bytes, access.extent_bytes};
  }
  return {0, function.locations[access.location].byte_size()};
}

std::vector<int32_t> Distinct(std::vector<int32_t> successors) {
  std::sort(successors.begin(), successors.end());
  successors.erase(std::unique(successors.begin(), successors.end()),
                   successors.end());
  return successors;
}

// Whether pieces of a location, in any order, lie side by side on `whole`.
bool Covers(std::vector<Bytes> pieces, const Bytes& whole) {
  std::sort(pieces.begin(), pieces.end());
  uint64_t end = whole.first;
  for (const Bytes& piece : pieces) {
    if (piece.first != end) return false;
    end += piece.second;
  }
  return end - whole.first == whole.second;
}

// Names are often empty: by its number in the block, too.
std::string Label(const Instruction& instruction, size_t index) {
  return absl::StrCat("instruction ", index,
                      instruction.name.empty()
                          ? ""
                          : absl::StrCat(" '", instruction.name, "'"));
}

class CodeMatcher {
 public:
  CodeMatcher(const Module& placed_module, const Function& placed,
              const Module& input_module, const Function& input)
      : placed_module_(placed_module),
        placed_(placed),
        input_module_(input_module),
        input_(input) {}

  std::string Difference() const {
    if (input_.blocks.empty()) return "";
    if (placed_.blocks.size() != input_.blocks.size()) {
      return absl::StrCat("has ", placed_.blocks.size(), " blocks, the input ",
                          input_.blocks.size());
    }
    for (size_t b = 0; b < placed_.blocks.size(); ++b) {
      const Block& placed = placed_.blocks[b];
      const Block& input = input_.blocks[b];
      if (placed.successors != input.successors &&
          Distinct(placed.successors) != Distinct(input.successors)) {
        return absl::StrCat("block '", input.name,
                            "' has other successors than in the input");
      }
      std::string difference = Difference(placed, input);
      if (!difference.empty()) return difference;
    }
    return "";
  }

 private:
  std::string Difference(const Block& placed, const Block& input) const {
    size_t next = 0;  // of the input
    for (size_t i = 0; i < placed.instructions.size(); ++i) {
      const size_t taken = NumTaken(placed.instructions[i], input, next);
      if (taken == 0) {
        return absl::StrCat("block '", input.name,
                            "': ", Label(placed.instructions[i], i),
                            " is not that of the input");
      }
      next += taken;
    }
    if (next == input.instructions.size()) return "";
    return absl::StrCat("block '", input.name,
                        "': ", Label(input.instructions[next], next),
                        " of the input is missing");
  }

  // How many instructions of `input` from `next` on are `placed`: one, several
  // copies that were merged, or none.
  size_t NumTaken(const Instruction& placed, const Block& input,
                  size_t next) const {
    if (next == input.instructions.size()) return 0;
    if (Same(placed, input.instructions[next])) return 1;
    if (placed.kind != InstructionKind::kDmaCopy) return 0;
    const Bytes source = BytesOf(placed_, placed.uses[0]);
    const Bytes target = BytesOf(placed_, placed.defs[0]);
    std::vector<Bytes> sources, targets;
    uint64_t total = 0;
    for (size_t i = next; i < input.instructions.size(); ++i) {
      const Instruction& copy = input.instructions[i];
      if (copy.kind != InstructionKind::kDmaCopy ||
          !SameLocation(placed.uses[0], copy.uses[0]) ||
          !SameLocation(placed.defs[0], copy.defs[0])) {
        return 0;
      }
      const Bytes from = BytesOf(input_, copy.uses[0]);
      const Bytes to = BytesOf(input_, copy.defs[0]);
      // Each byte goes where the merged copy takes it.
      if (from.first - source.first != to.first - target.first) return 0;
      sources.push_back(from);
      targets.push_back(to);
      if (from.second > source.second - total) return 0;
      total += from.second;
      if (total < source.second) continue;
      const bool covers = Covers(std::move(sources), source) &&
                          Covers(std::move(targets), target);
      return covers ? i + 1 - next : 0;
    }
    return 0;
  }

  bool Same(const Instruction& placed, const Instruction& input) const {
    return placed.kind == input.kind && SameCallee(placed, input) &&
           SameAccesses(placed.defs, input.defs) &&
           SameAccesses(placed.uses, input.uses);
  }

  bool SameCallee(const Instruction& placed, const Instruction& input) const {
    if (placed.callee < 0 || input.callee < 0) {
      return placed.callee == input.callee;
    }
    return placed_module_.functions[placed.callee].name ==
           input_module_.functions[input.callee].name;
  }

  bool SameLocation(const Access& placed, const Access& input) const {
    return placed_.locations[placed.location].name ==
           input_.locations[input.location].name;
  }

  bool SameAccesses(const std::vector<Access>& placed,
                    const std::vector<Access>& input) const {
    return std::equal(placed.begin(), placed.end(), input.begin(), input.end(),
                      [this](const Access& a, const Access& b) {
                        return SameLocation(a, b) &&
                               BytesOf(placed_, a) == BytesOf(input_, b);
                      });
  }

  const Module& placed_module_;
  const Function& placed_;
  const Module& input_module_;
  const Function& input_;
};

}  // namespace

std::string CodeDifference(const Module& placed_module, const Function& placed,
                           const Module& input_module, const Function& input) {
  return CodeMatcher(placed_module, placed, input_module, input).Difference();
}

}  // namespace berth::validation
