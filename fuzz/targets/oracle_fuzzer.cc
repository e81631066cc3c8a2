// The interference oracles (spec §4) against two comparisons: equal sets and
// counts for any question, all pairs once, the trees' invariants, and bounds on
// what the trees visit.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <tuple>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "allocator/interference/block_tree.h"
#include "allocator/interference/filter.h"
#include "allocator/interference/half_graph.h"
#include "allocator/interference/linear_scan.h"
#include "allocator/interference/matrix.h"
#include "allocator/interference/neighbours.h"
#include "allocator/interference/node_tree.h"
#include "allocator/interference/oracle.h"
#include "allocator/interference/red_black_tree.h"
#include "allocator/interference/sweep.h"
#include "allocator/interference/window_lists.h"
#include "allocator/model/intervals.h"
#include "fuzz/engine/oracle.h"
#include "fuzz/engine/target.h"
#include "fuzz/inputs/byte_reader.h"

namespace berth::fuzz {
namespace {

constexpr size_t kMaxIntervals = 160;
constexpr size_t kQueries = 2;
constexpr int64_t kCopies = 8;
constexpr int kPairsOneIn = 2;
constexpr int kRunsOneIn = 3;
constexpr int kKernelsOneIn = 4;
constexpr int kLargeOneIn = 64;
constexpr int32_t kIds = kMaxIntervals / 4;

struct Input {
  std::vector<OwnedInterval> set;
  std::vector<Interval> queries;
};

int32_t Clamped(int64_t time) {
  return static_cast<int32_t>(std::clamp<int64_t>(time, INT32_MIN, INT32_MAX));
}

// Three bytes an interval; the first two say how far apart times are.
Input Decode(absl::string_view bytes) {
  constexpr int64_t kSteps[] = {1, 1, 3, 1 << 10, 1 << 23};
  ByteReader reader(bytes);
  const int64_t step = reader.OneOf(kSteps);
  const int64_t base = reader.Byte() < 8 ? INT32_MIN : -20;
  Input input;
  while (!reader.empty() && input.set.size() < kMaxIntervals) {
    const int64_t lo = base + step * reader.Byte();
    const uint8_t length = reader.Byte();
    const int64_t reach = length < 200 ? length % 16 : length;
    const auto id = static_cast<int32_t>(reader.Byte() % kIds);
    input.set.push_back({Clamped(lo), Clamped(lo + step * reach), id});
  }
  input.queries = {{INT32_MIN, INT32_MAX}, {1, 0}};
  for (size_t i = 0; i < input.set.size() && i < kQueries; ++i) {
    const OwnedInterval& a = input.set[i];
    const OwnedInterval& b = input.set[input.set.size() - 1 - i];
    input.queries.push_back({a.lo, a.lo});
    input.queries.push_back({std::min(a.hi, b.hi), std::max(a.hi, b.hi)});
    input.queries.push_back(
        {Clamped(int64_t{a.hi} + 1), Clamped(int64_t{a.hi} + 1 + i)});
  }
  return input;
}

bool Meet(const OwnedInterval& a, int64_t lo, int64_t hi) {
  return lo <= hi && !(a.hi < lo) && !(hi < a.lo);
}

// How often each id is there. Sets of ids, each as often as it comes, are equal
// if these are.
class Counts {
 public:
  void Add(int32_t id) {
    ORACLE(id >= 0 && id < kIds, "nobody has id ", id);
    ++of_id_[id];
    ++total_;
  }
  int64_t total() const { return total_; }
  friend bool operator==(const Counts&, const Counts&) = default;

 private:
  std::array<int16_t, kIds> of_id_ = {};
  int64_t total_ = 0;
};

Counts CountsOf(absl::Span<const int32_t> ids) {
  Counts counts;
  for (const int32_t id : ids) counts.Add(id);
  return counts;
}

Counts Wanted(absl::Span<const OwnedInterval> set, int32_t lo, int32_t hi) {
  Counts counts;
  for (const OwnedInterval& i : set) {
    if (Meet(i, lo, hi)) counts.Add(i.id);
  }
  return counts;
}

// Questions with their answers, for all oracles.
struct Questions {
  std::vector<Interval> intervals;
  std::vector<Counts> answers;
  // Stored intervals that OverlapsOf is asked of.
  std::vector<int32_t> stored;
  std::vector<Counts> of_stored;
};

Questions Ask(const Input& input) {
  Questions questions;
  questions.intervals = input.queries;
  for (const Interval& q : input.queries) {
    questions.answers.push_back(Wanted(input.set, q.lo, q.hi));
  }
  const size_t step = 1 + input.set.size() / 2;
  for (size_t i = 0; i < input.set.size(); i += step) {
    questions.stored.push_back(static_cast<int32_t>(i));
    questions.of_stored.push_back(
        Wanted(input.set, input.set[i].lo, input.set[i].hi));
  }
  return questions;
}

template <InterferenceOracle Oracle>
void CheckAnswers(const char* name, const Input& input,
                  const Questions& questions, Oracle& oracle) {
  ORACLE(oracle.size() == static_cast<int32_t>(input.set.size()), name);
  ORACLE(input.set.empty() || oracle.bytes() > 0, name);
  IdList ids;
  for (size_t i = 0; i < questions.intervals.size(); ++i) {
    const Interval& q = questions.intervals[i];
    const Counts& want = questions.answers[i];
    ids.clear();
    oracle.Overlaps(q.lo, q.hi, &ids);
    ORACLE(CountsOf(ids) == want, name, " of [", q.lo, ", ", q.hi,
           "]: ", ids.size(), " ids, not ", want.total());
    ORACLE(oracle.Count(q.lo, q.hi) == want.total(), name,
           " counts otherwise in [", q.lo, ", ", q.hi, "]");
  }
  for (size_t i = 0; i < questions.stored.size(); ++i) {
    ids.clear();
    ORACLE(oracle.OverlapsOf(questions.stored[i], &ids).ok(), name);
    ORACLE(CountsOf(ids) == questions.of_stored[i], name,
           " of stored interval ", questions.stored[i]);
  }
  const auto past = static_cast<int32_t>(input.set.size());
  ORACLE(oracle.OverlapsOf(past, &ids).code() == absl::StatusCode::kOutOfRange,
         name);
}

template <InterferenceOracle Oracle>
void CheckOracle(const char* name, const Input& input,
                 const Questions& questions) {
  Oracle oracle(input.set);
  CheckAnswers(name, input, questions, oracle);
}

// What a walk that prunes by the true max (and by lo if sorted) visits.
class TrueWalk {
 public:
  explicit TrueWalk(absl::Span<const NodeTree::Node> nodes)
      : nodes_(nodes), max_(nodes.size(), INT32_MIN) {}

  int32_t FillMax(int32_t index) {
    if (index < 0) return INT32_MIN;
    const NodeTree::Node& node = nodes_[index];
    max_[index] = std::max({node.hi, FillMax(node.left), FillMax(node.right)});
    ORACLE(node.max == max_[index], "max of node ", index, " is ", node.max,
           ", not ", max_[index]);
    return max_[index];
  }

  int64_t Visits(int32_t index, const Interval& q, bool sorted) const {
    if (index < 0) return 0;
    const NodeTree::Node& node = nodes_[index];
    if (q.lo > max_[index]) return 1;
    int64_t visits = 1 + Visits(node.left, q, sorted);
    if (!sorted || node.lo <= q.hi) visits += Visits(node.right, q, sorted);
    return visits;
  }

 private:
  absl::Span<const NodeTree::Node> nodes_;
  std::vector<int32_t> max_;
};

template <typename Tree>
void CheckTree(const char* name, const Input& input, const Questions& questions,
               bool sorted) {
  Tree tree(input.set);
  CheckAnswers(name, input, questions, tree);
  TrueWalk walk(tree.nodes());
  walk.FillMax(tree.root());
  IdList ids;
  for (const Interval& q : input.queries) {
    const int64_t before = tree.visits();
    tree.Overlaps(q.lo, q.hi, &ids);
    const int64_t want = q.lo > q.hi ? 0 : walk.Visits(tree.root(), q, sorted);
    ORACLE(tree.visits() - before == want, "visits of [", q.lo, ", ", q.hi,
           "]: ", tree.visits() - before, ", not ", want);
  }
}

// Insert and erase, the invariants after each step, and the answers then.
void CheckRedBlack(const Input& input) {
  RedBlackTree tree(absl::Span<const OwnedInterval>{});
  std::vector<OwnedInterval> left;
  const size_t count = std::min<size_t>(input.set.size(), 40);
  for (size_t i = 0; i < count; ++i) {
    tree.Insert(input.set[i]);
    if (i % 4 == 3) {
      ORACLE(tree.CheckInvariants(), "red-black tree after insert ", i);
    }
  }
  for (size_t i = 0; i < count; ++i) {
    if (input.set[i].id % 2 == 0) {
      left.push_back(input.set[i]);
      continue;
    }
    ORACLE(tree.Erase(static_cast<int32_t>(i)), "interval ", i, " is lost");
    ORACLE(!tree.Erase(static_cast<int32_t>(i)), "erased twice: ", i);
    if (i % 4 == 3) {
      ORACLE(tree.CheckInvariants(), "red-black tree after erase ", i);
    }
  }
  ORACLE(tree.CheckInvariants(), "red-black tree");
  IdList ids;
  for (const Interval& q : input.queries) {
    ids.clear();
    const int64_t before = tree.visits();
    tree.Overlaps(q.lo, q.hi, &ids);
    ORACLE(CountsOf(ids) == Wanted(left, q.lo, q.hi), "red-black tree, erased");
    const auto bound = static_cast<int64_t>(2 * (ids.size() + 1) * 2 *
                                            std::bit_width(left.size() + 1));
    ORACLE(tree.visits() - before <= bound + 2, tree.visits() - before,
           " visits for ", ids.size(), " of ", left.size());
  }
}

// How often two ids meet, over all pairs of stored intervals.
class PairCounts {
 public:
  void Add(int32_t a, int32_t b) {
    ORACLE(a >= 0 && a < kIds && b >= 0 && b < kIds, "nobody has id ", a,
           " or ", b);
    ++of_pair_[std::min(a, b) * kIds + std::max(a, b)];
    ++total_;
  }
  // A visitor of AllPairs.
  auto Adder() {
    return [this](int32_t id, absl::Span<const int32_t> others) {
      for (const int32_t other : others) Add(id, other);
    };
  }
  int64_t total() const { return total_; }
  friend bool operator==(const PairCounts&, const PairCounts&) = default;

 private:
  std::array<int16_t, kIds* kIds> of_pair_ = {};
  int64_t total_ = 0;
};

void CheckPairs(const Input& input) {
  PairCounts want;
  for (size_t a = 0; a < input.set.size(); ++a) {
    for (size_t b = a + 1; b < input.set.size(); ++b) {
      if (!Meet(input.set[a], input.set[b].lo, input.set[b].hi)) continue;
      want.Add(input.set[a].id, input.set[b].id);
    }
  }
  PairCounts swept;
  Sweep(input.set).AllPairs(swept.Adder());
  ORACLE(swept == want, "all pairs by sweep: ", swept.total(), ", not ",
         want.total());
  PairCounts halved;
  const HalfGraph graph(input.set);
  graph.AllPairs(halved.Adder());
  ORACLE(graph.pairs() == want.total(), "pairs");
  ORACLE(halved == want, "all pairs by half graph: ", halved.total(), ", not ",
         want.total());
}

// Neighbours of all intervals of the first one's id, each once, itself not.
void CheckNeighbours(const Input& input, WindowLists& oracle) {
  if (input.set.empty()) return;
  const int32_t self = input.set[0].id;
  std::vector<Interval> own;
  for (const OwnedInterval& i : input.set) {
    if (i.id == self) own.push_back({i.lo, i.hi});
  }
  std::array<bool, kIds> meets = {};
  for (const OwnedInterval& i : input.set) {
    meets[i.id] = meets[i.id] ||
                  std::any_of(own.begin(), own.end(), [&i](const Interval& o) {
                    return Meet(i, o.lo, o.hi);
                  });
  }
  Counts want;
  for (int32_t id = 0; id < kIds; ++id) {
    if (meets[id] && id != self) want.Add(id);
  }
  Neighbours neighbours(kIds);
  IdList ids;
  neighbours.Of(own, self, &oracle, &ids);
  ORACLE(CountsOf(ids) == want, "neighbours of ", self);
}

// What the planner reads without a copy is the whole answer, too.
void CheckRuns(const Questions& questions, WindowLists& oracle) {
  IdList scratch;
  for (size_t i = 0; i < questions.intervals.size(); ++i) {
    const Interval& q = questions.intervals[i];
    const OverlapRuns runs = oracle.Runs(q.lo, q.hi, &scratch);
    Counts counts;
    for (const auto& part : {runs.alive, runs.started, runs.recent}) {
      for (const int32_t id : part) counts.Add(id);
    }
    ORACLE(counts == questions.answers[i], "runs of [", q.lo, ", ", q.hi, "]");
  }
}

// Every kernel that the machine has, not only the one that the oracles take.
void CheckKernels(Input input, const Questions& questions) {
  // Descending ends, for `prefix`.
  std::sort(input.set.begin(), input.set.end(),
            [](const OwnedInterval& a, const OwnedInterval& b) {
              return std::tie(b.hi, a.lo, a.id) < std::tie(a.hi, b.lo, b.id);
            });
  const auto n = static_cast<int64_t>(input.set.size());
  std::vector<int32_t> los(n + kFilterSlack);
  std::vector<int32_t> his(n + kFilterSlack);
  std::vector<int32_t> ids(n + kFilterSlack);
  for (int64_t i = 0; i < n; ++i) {
    los[i] = input.set[i].lo;
    his[i] = input.set[i].hi;
    ids[i] = input.set[i].id;
  }
  std::vector<int32_t> out(n + kFilterSlack);
  const auto counts = [&out](const int32_t* end) {
    return CountsOf({out.data(), static_cast<size_t>(end - out.data())});
  };
  for (size_t i = 0; i < questions.intervals.size(); i += 2) {
    const auto [lo, hi] = questions.intervals[i];
    const Counts late = Wanted(input.set, lo, INT32_MAX);
    const Counts& want = questions.answers[i];
    for (const FilterKernels* kernels : AllFilters()) {
      ORACLE(counts(kernels->at_least(his.data(), ids.data(), n, lo,
                                      out.data())) == late,
             kernels->name, " at least ", lo);
      ORACLE(counts(kernels->prefix(his.data(), ids.data(), n, lo,
                                    out.data())) == late,
             kernels->name, " prefix of ", lo);
      ORACLE(kernels->count_at_least(his.data(), n, lo) == late.total(),
             kernels->name, " counts at least ", lo);
      if (lo > hi) continue;
      ORACLE(counts(kernels->overlapping(los.data(), his.data(), ids.data(), n,
                                         lo, hi, out.data())) == want,
             kernels->name, " overlapping [", lo, ", ", hi, "]");
      ORACLE(kernels->count_overlapping(los.data(), his.data(), n, lo, hi) ==
                 want.total(),
             kernels->name, " counts overlapping [", lo, ", ", hi, "]");
    }
  }
}

// The same intervals several times, one copy after another: trees of several
// levels, lists of several windows.
void CheckLarge(const Input& input) {
  if (input.set.empty()) return;
  Input large;
  for (int64_t copy = 0; copy < kCopies; ++copy) {
    const int64_t shift = copy * 300;
    for (const OwnedInterval& i : input.set) {
      large.set.push_back({Clamped(i.lo + shift), Clamped(i.hi + shift), i.id});
    }
    const OwnedInterval& last = large.set.back();
    large.queries.push_back(input.queries[copy % input.queries.size()]);
    large.queries.push_back({last.lo, last.hi});
  }
  const Questions questions = Ask(large);
  CheckOracle<BlockTree>("large block tree", large, questions);
  WindowLists lists(large.set);
  CheckAnswers("large window lists", large, questions, lists);
  CheckRuns(questions, lists);
}

void Run(absl::string_view bytes) {
  const Input input = Decode(bytes);
  const Questions questions = Ask(input);
  // Those that are rare are asked together.
  const uint64_t draw = DrawOf(bytes);
  CheckTree<EmissionTree>("emission tree", input, questions, false);
  CheckTree<SortedNodeTree>("sorted tree", input, questions, true);
  CheckOracle<BlockTree>("block tree", input, questions);
  CheckOracle<RedBlackTree>("red-black tree", input, questions);
  CheckOracle<Matrix>("matrix", input, questions);
  CheckOracle<LinearScan>("linear scan", input, questions);
  CheckOracle<Sweep>("sweep", input, questions);
  WindowLists lists(input.set);
  CheckAnswers("window lists", input, questions, lists);
  CheckNeighbours(input, lists);
  if (draw % kRunsOneIn == 0) CheckRuns(questions, lists);
  CheckRedBlack(input);
  if (draw % kPairsOneIn == 0) CheckPairs(input);
  if (draw % kKernelsOneIn == 0) CheckKernels(input, questions);
  if (draw % kLargeOneIn == 0) CheckLarge(input);
}

const bool kRegistered = RegisterTarget({
    .name = "oracle_fuzzer",
    .summary = "every interference oracle gives the same sets",
    .max_bytes = 2 + 3 * kMaxIntervals,
    .run = Run,
});

}  // namespace
}  // namespace berth::fuzz
