// The form of the placement problem that tight's search works on: items, and
// the sections of time in which they compete.
//
// A section is a time whose live set is contained in no adjacent time's live
// set; two items interfere iff they share a section, so other times add
// nothing. Sizes are in units: the gcd of all sizes.
//
// One worked example, used through this folder (closed times, sizes in units):
//
//   item  live  size      sections: time 1 {a, b}, 3 {b, c}
//   a     0-1   2         load of section 0 = 2 + 1, of section 1 = 1 + 2
//   b     1-4   1
//   c     3-5   2
//
// Thread-safety: value. Memory: 4 bytes per item and section it covers, twice;
// 4 bytes per ordered pair of interfering items.
#ifndef BERTH_ALLOCATOR_PLACEMENT_TIGHT_SECTION_MODEL_H_
#define BERTH_ALLOCATOR_PLACEMENT_TIGHT_SECTION_MODEL_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "allocator/model/intervals.h"

namespace berth::tight {

// For each row its values, in one flat array.
struct Rows {
  std::vector<int32_t> offsets = {0};
  std::vector<int32_t> values;

  int32_t size() const { return static_cast<int32_t>(offsets.size()) - 1; }
  absl::Span<const int32_t> of(int32_t row) const {
    return absl::MakeConstSpan(values).subspan(offsets[row],
                                               offsets[row + 1] - offsets[row]);
  }
  void EndRow() { offsets.push_back(static_cast<int32_t>(values.size())); }
};

// Stands for all loads above it: more than any room, and with the size of an
// item still far from the end of 64 bits.
inline constexpr int64_t kMostLoad = int64_t{1} << 62;

struct SectionModel {
  std::vector<int32_t> node;  // per item: its id in the Problem
  std::vector<int64_t> size;  // per item, in units, > 0
  Rows sections_of;           // per item: sections it covers, ascending
  Rows items_of;              // per section: items that cover it, ascending
  Rows neighbors_of;          // per item: items it interferes with, ascending
  std::vector<int64_t> load;  // per section, at most kMostLoad
  int64_t max_load = 0;

  int32_t num_items() const { return static_cast<int32_t>(size.size()); }
  int32_t num_sections() const { return items_of.size(); }
};

// Where building a SectionModel stops: beyond this it would not be lean.
struct SectionModelLimits {
  int64_t max_live_entries = 2'000'000;  // sum of live sets over sections
  // The same with items counted in the gaps of their lifetimes too.
  int64_t max_hull_entries = 4'000'000;
  int64_t max_neighbor_entries = 4'000'000;  // ordered interfering pairs
};

// The model of `nodes` (distinct ids of `live`), whose sizes in units are
// `size_units` (in (0, 2^60]; parallel to nodes). nullopt if it would pass
// `limits`. Cost: O(live entries + interfering pairs * sections they share).
std::optional<SectionModel> BuildSectionModel(
    const IntervalTable& live, absl::Span<const int32_t> nodes,
    absl::Span<const int64_t> size_units, const SectionModelLimits& limits);

// Splits `nodes` into parts that share no time, directly or through others,
// each sorted by id; parts in order of their first time. Cost: O(n log n) in
// intervals.
std::vector<std::vector<int32_t>> IndependentParts(
    const IntervalTable& live, absl::Span<const int32_t> nodes);

// Nodes that can be packed on their own, on top of others.
struct Piece {
  std::vector<int32_t> nodes;  // by id
  // Interfere with all of `nodes` and with each other. Where any sum of sizes
  // is an address, some best packing has them at the bottom, in this order:
  // what is under one of them can change places with it.
  std::vector<int32_t> below;
};

// Splits `nodes` into pieces that share no time with each other, `below` aside:
// a node that interferes with all others of its part goes below them, which may
// take the rest apart. A node of several runs stays. Cost: O(n log n) in
// intervals for each time that the rest falls apart.
std::vector<Piece> SplitIntoPieces(const IntervalTable& live,
                                   absl::Span<const int32_t> nodes);

}  // namespace berth::tight

#endif  // BERTH_ALLOCATOR_PLACEMENT_TIGHT_SECTION_MODEL_H_
