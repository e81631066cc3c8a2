#include "allocator/placement/tight/section_model.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

namespace berth::tight {
namespace {

struct Run {
  int32_t lo = 0;
  int32_t hi = 0;
  int32_t item = 0;  // position in `nodes`
};

std::vector<Run> RunsByStart(const IntervalTable& live,
                             absl::Span<const int32_t> nodes) {
  std::vector<Run> runs;
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (const Interval& interval : live.of(nodes[i])) {
      runs.push_back({interval.lo, interval.hi, static_cast<int32_t>(i)});
    }
  }
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
    return a.lo != b.lo ? a.lo < b.lo : a.item < b.item;
  });
  return runs;
}

// Sweeps time. A live set that has gained a member since the last section and
// is about to lose one is a section. False if `max_entries` is passed.
bool CollectSections(const std::vector<Run>& runs, int64_t max_entries,
                     Rows& items_of) {
  std::vector<Run> active;
  const auto flush_before = [&](int32_t time) {
    // Drops runs that end before `time`; the set before the first drop is a
    // section.
    const auto dead = [time](const Run& run) { return run.hi < time; };
    if (std::none_of(active.begin(), active.end(), dead)) return;
    const size_t first = items_of.values.size();
    for (const Run& run : active) items_of.values.push_back(run.item);
    std::sort(items_of.values.begin() + first, items_of.values.end());
    items_of.EndRow();
    active.erase(std::remove_if(active.begin(), active.end(), dead),
                 active.end());
  };
  for (const Run& run : runs) {
    flush_before(run.lo);
    active.push_back(run);
    if (static_cast<int64_t>(items_of.values.size() + active.size()) >
        max_entries) {
      return false;
    }
  }
  if (!active.empty()) flush_before(std::numeric_limits<int32_t>::max());
  return true;
}

void Transpose(int32_t num_items, const Rows& items_of, Rows& sections_of) {
  sections_of.offsets.assign(num_items + 1, 0);
  for (const int32_t item : items_of.values) ++sections_of.offsets[item + 1];
  std::partial_sum(sections_of.offsets.begin(), sections_of.offsets.end(),
                   sections_of.offsets.begin());
  sections_of.values.resize(items_of.values.size());
  std::vector<int32_t> next(sections_of.offsets.begin(),
                            sections_of.offsets.end() - 1);
  for (int32_t section = 0; section < items_of.size(); ++section) {
    for (const int32_t item : items_of.of(section)) {
      sections_of.values[next[item]++] = section;
    }
  }
}

bool CollectNeighbors(const SectionModel& model, int64_t max_entries,
                      Rows& neighbors_of) {
  std::vector<int32_t> seen_by(model.num_items(), -1);
  for (int32_t item = 0; item < model.num_items(); ++item) {
    seen_by[item] = item;
    const size_t first = neighbors_of.values.size();
    for (const int32_t section : model.sections_of.of(item)) {
      for (const int32_t other : model.items_of.of(section)) {
        if (seen_by[other] == item) continue;
        seen_by[other] = item;
        neighbors_of.values.push_back(other);
      }
    }
    if (static_cast<int64_t>(neighbors_of.values.size()) > max_entries) {
      return false;
    }
    std::sort(neighbors_of.values.begin() + first, neighbors_of.values.end());
    neighbors_of.EndRow();
  }
  return true;
}

}  // namespace

std::optional<SectionModel> BuildSectionModel(
    const IntervalTable& live, absl::Span<const int32_t> nodes,
    absl::Span<const int64_t> size_units, const SectionModelLimits& limits) {
  SectionModel model;
  model.node.assign(nodes.begin(), nodes.end());
  model.size.assign(size_units.begin(), size_units.end());
  if (!CollectSections(RunsByStart(live, nodes), limits.max_live_entries,
                       model.items_of)) {
    return std::nullopt;
  }
  Transpose(model.num_items(), model.items_of, model.sections_of);
  int64_t hull_entries = 0;
  for (int32_t item = 0; item < model.num_items(); ++item) {
    const absl::Span<const int32_t> sections = model.sections_of.of(item);
    hull_entries += sections.back() - sections.front() + 1;
  }
  if (hull_entries > limits.max_hull_entries) return std::nullopt;
  if (!CollectNeighbors(model, limits.max_neighbor_entries,
                        model.neighbors_of)) {
    return std::nullopt;
  }
  for (int32_t section = 0; section < model.num_sections(); ++section) {
    int64_t load = 0;
    for (const int32_t item : model.items_of.of(section)) {
      load = std::min(load + model.size[item], kMostLoad);
    }
    model.load.push_back(load);
    model.max_load = std::max(model.max_load, load);
  }
  return model;
}

std::vector<std::vector<int32_t>> IndependentParts(
    const IntervalTable& live, absl::Span<const int32_t> nodes) {
  // Union-find over nodes: runs that overlap in time join.
  std::vector<int32_t> parent(nodes.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&parent](int32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  int32_t last_item = -1;
  int32_t last_end = -1;  // of the runs joined with last_item so far
  const std::vector<Run> runs = RunsByStart(live, nodes);
  for (const Run& run : runs) {
    if (last_item >= 0 && run.lo <= last_end) {
      parent[root(run.item)] = root(last_item);
    }
    last_item = run.item;
    last_end = std::max(last_end, run.hi);
  }
  std::vector<int32_t> part_of_root(nodes.size(), -1);
  std::vector<std::vector<int32_t>> parts;
  std::vector<int32_t> part_of(nodes.size());
  for (const Run& run : runs) {
    int32_t& part = part_of_root[root(run.item)];
    if (part < 0) {
      part = static_cast<int32_t>(parts.size());
      parts.emplace_back();
    }
    part_of[run.item] = part;
  }
  for (size_t i = 0; i < nodes.size(); ++i) {
    parts[part_of[i]].push_back(nodes[i]);
  }
  for (std::vector<int32_t>& part : parts) std::sort(part.begin(), part.end());
  return parts;
}

namespace {

constexpr int64_t kMaxRunTests = 10'000'000;

// The nodes of one run that meet all others of `nodes`. None if that would take
// too long to find out.
std::vector<int32_t> MeetAll(const IntervalTable& live,
                             absl::Span<const int32_t> nodes) {
  int32_t last_start = 0;
  int32_t first_end = std::numeric_limits<int32_t>::max();
  std::vector<int32_t> split;  // of several runs
  int64_t split_runs = 0;
  for (const int32_t node : nodes) {
    const absl::Span<const Interval> runs = live.of(node);
    last_start = std::max(last_start, runs.front().lo);
    first_end = std::min(first_end, runs.back().hi);
    if (runs.size() == 1) continue;
    split.push_back(node);
    split_runs += static_cast<int64_t>(runs.size());
  }
  const auto meets = [&live](const Interval& a, int32_t node) {
    const absl::Span<const Interval> runs = live.of(node);
    return std::any_of(runs.begin(), runs.end(), [&a](const Interval& b) {
      return a.lo <= b.hi && b.lo <= a.hi;
    });
  };
  std::vector<int32_t> result;
  int64_t tests = 0;
  for (const int32_t node : nodes) {
    const absl::Span<const Interval> runs = live.of(node);
    const Interval& run = runs.front();
    if (runs.size() > 1 || run.lo > first_end || run.hi < last_start) continue;
    tests += split_runs;
    if (tests > kMaxRunTests) return {};
    if (std::all_of(split.begin(), split.end(),
                    [&](int32_t other) { return meets(run, other); })) {
      result.push_back(node);
    }
  }
  return result;
}

}  // namespace

std::vector<Piece> SplitIntoPieces(const IntervalTable& live,
                                   absl::Span<const int32_t> nodes) {
  std::vector<Piece> pieces;
  std::vector<Piece> left;
  left.push_back({{nodes.begin(), nodes.end()}, {}});
  while (!left.empty()) {
    const Piece piece = std::move(left.back());
    left.pop_back();
    for (std::vector<int32_t>& part : IndependentParts(live, piece.nodes)) {
      const std::vector<int32_t> spanning = MeetAll(live, part);
      if (spanning.empty() || spanning.size() == part.size()) {
        pieces.push_back({std::move(part), piece.below});
        continue;
      }
      Piece rest = {{}, piece.below};
      rest.below.insert(rest.below.end(), spanning.begin(), spanning.end());
      std::set_difference(part.begin(), part.end(), spanning.begin(),
                          spanning.end(), std::back_inserter(rest.nodes));
      left.push_back(std::move(rest));
    }
  }
  return pieces;
}

}  // namespace berth::tight
