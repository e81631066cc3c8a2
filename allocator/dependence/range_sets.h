// Sets of ids over ranges of a line, with versions: what a dependence analysis
// knows of "the last writers of these bytes" and "the readers since".
//
// A version maps each position 0 .. num_positions - 1 to a set of ids. It is a
// tree over the line; a node's list counts for all positions below it. Versions
// share what they have in common: an operation copies the nodes on its way,
// those of its own epoch aside, which it changes in place. So straight-line
// code allocates about as much as it stores, and a join of branches costs what
// the branches changed.
//
// Lists are ropes that share too; an id may stand in one several times and is
// reported once.
//
// Thread-safety: none.
#ifndef BERTH_ALLOCATOR_DEPENDENCE_RANGE_SETS_H_
#define BERTH_ALLOCATOR_DEPENDENCE_RANGE_SETS_H_

#include <cstdint>
#include <vector>

namespace berth {

class RangeSets {
 public:
  // A version; kEmpty maps every position to no id.
  using Version = int32_t;
  static constexpr Version kEmpty = -1;

  explicit RangeSets(int32_t num_positions) : num_positions_(num_positions) {}

  // Versions made so far stay as they are from now on.
  void BeginEpoch() { ++epoch_; }

  // All below: REQUIRES 0 <= lo < hi <= num_positions.

  // `version` with `id` at every position of [lo, hi). Cost: O(log positions).
  Version Add(Version version, int32_t lo, int32_t hi, int32_t id);

  // `version` with nothing in [lo, hi). Appends to `ids` each id that was there
  // once. Cost: O(log positions + nodes taken away + length of their lists).
  Version Take(Version version, int32_t lo, int32_t hi,
               std::vector<int32_t>& ids);

  // Appends to `ids` each id that stands in [lo, hi), once. Cost: as Take().
  void Collect(Version version, int32_t lo, int32_t hi,
               std::vector<int32_t>& ids);

  // Appends (id, lo, hi) for runs of positions of [lo, hi) at which each id
  // stands: sorted, as long as can be. Cost: as Take(), a list once per node.
  struct Found {
    int32_t id = 0;
    int32_t lo = 0;
    int32_t hi = 0;
  };
  void CollectRanges(Version version, int32_t lo, int32_t hi,
                     std::vector<Found>& found);

  // At every position the union. Cost: O(nodes in which the two differ).
  Version Join(Version a, Version b);

  // Nodes and list cells looked at so far.
  uint64_t visits() const { return visits_; }

 private:
  struct Node {
    int32_t left = -1;
    int32_t right = -1;
    int32_t list = -1;
    int32_t epoch = 0;
  };
  // A leaf holds an id (second < 0), any other cell two lists.
  struct Cell {
    int32_t first = -1;
    int32_t second = -1;
    uint32_t seen = 0;
  };
  struct Range {
    int32_t lo;
    int32_t hi;
  };

  int32_t Own(int32_t node);
  int32_t Concat(int32_t a, int32_t b);
  int32_t AddIn(int32_t node, Range at, Range to, int32_t list);
  int32_t TakeIn(int32_t node, Range at, Range from, std::vector<int32_t>& ids);
  void CollectIn(int32_t node, Range at, Range from, std::vector<int32_t>& ids);
  void CollectRangesIn(int32_t node, Range at, Range from,
                       std::vector<Found>& found);
  void Report(int32_t list, std::vector<int32_t>& ids);

  const int32_t num_positions_;
  int32_t epoch_ = 0;
  uint32_t query_ = 0;
  uint64_t visits_ = 0;
  std::vector<Node> nodes_;
  std::vector<Cell> cells_;
  std::vector<int32_t> stack_;
  std::vector<int32_t> ids_;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_DEPENDENCE_RANGE_SETS_H_
