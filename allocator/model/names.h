// The one spelling of every enumerator: in messages, JSON, flags and the text
// format. Parse* returns nullopt for any other spelling.
#ifndef BERTH_ALLOCATOR_MODEL_NAMES_H_
#define BERTH_ALLOCATOR_MODEL_NAMES_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"

namespace berth {

absl::string_view Name(MemoryType type);        // DRAM, SBUF, PSUM
absl::string_view Name(Space space);            // LOCAL, SHARED
absl::string_view Name(Usage usage);            // INPUT, ... SPILL
absl::string_view Name(PlacedBy placed_by);     // NONE, INPUT, BERTH, SYNC
absl::string_view Name(InstructionKind kind);   // COMPUTE, DMA_COPY, ...
absl::string_view Name(SizeRounding rounding);  // page, none
absl::string_view Name(LinkMode mode);          // pre, post
absl::string_view Name(Emission emission);      // merged, per-edge
absl::string_view Name(Planner planner);        // reference, briggs, ...
absl::string_view Name(CsvMemory memory);       // other, dram

std::optional<SizeRounding> ParseSizeRounding(absl::string_view text);
std::optional<LinkMode> ParseLinkMode(absl::string_view text);
std::optional<Emission> ParseEmission(absl::string_view text);
std::optional<Planner> ParsePlanner(absl::string_view text);
std::optional<CsvMemory> ParseCsvMemory(absl::string_view text);

// How messages name an instruction: its name, or "#flat" where it has none.
std::string InstructionLabel(const Instruction& instruction, int32_t flat);

}  // namespace berth

#endif  // BERTH_ALLOCATOR_MODEL_NAMES_H_
