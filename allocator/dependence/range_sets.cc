#include "allocator/dependence/range_sets.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace berth {
namespace {

int32_t Middle(int32_t lo, int32_t hi) { return lo + (hi - lo) / 2; }

}  // namespace

// `node` if it is of this epoch, else a copy of it; a new one for -1.
int32_t RangeSets::Own(int32_t node) {
  if (node >= 0 && nodes_[node].epoch == epoch_) return node;
  Node copy = node >= 0 ? nodes_[node] : Node();
  copy.epoch = epoch_;
  nodes_.push_back(copy);
  return static_cast<int32_t>(nodes_.size()) - 1;
}

int32_t RangeSets::Concat(int32_t a, int32_t b) {
  if (a < 0 || a == b) return b;
  if (b < 0) return a;
  cells_.push_back({a, b, 0});
  return static_cast<int32_t>(cells_.size()) - 1;
}

void RangeSets::Report(int32_t list, std::vector<int32_t>& ids) {
  if (list < 0) return;
  stack_.push_back(list);
  while (!stack_.empty()) {
    Cell& cell = cells_[stack_.back()];
    stack_.pop_back();
    ++visits_;
    if (cell.seen == query_) continue;
    cell.seen = query_;
    if (cell.second < 0) {
      ids.push_back(cell.first);
    } else {
      stack_.push_back(cell.second);
      stack_.push_back(cell.first);
    }
  }
}

RangeSets::Version RangeSets::Add(Version version, int32_t lo, int32_t hi,
                                  int32_t id) {
  cells_.push_back({id, -1, 0});
  return AddIn(version, {0, num_positions_}, {lo, hi},
               static_cast<int32_t>(cells_.size()) - 1);
}

int32_t RangeSets::AddIn(int32_t node, Range at, Range to, int32_t list) {
  ++visits_;
  node = Own(node);
  if (to.lo <= at.lo && at.hi <= to.hi) {
    nodes_[node].list = Concat(nodes_[node].list, list);
    return node;
  }
  const int32_t middle = Middle(at.lo, at.hi);
  if (to.lo < middle) {
    const int32_t left = AddIn(nodes_[node].left, {at.lo, middle}, to, list);
    nodes_[node].left = left;
  }
  if (middle < to.hi) {
    const int32_t right = AddIn(nodes_[node].right, {middle, at.hi}, to, list);
    nodes_[node].right = right;
  }
  return node;
}

RangeSets::Version RangeSets::Take(Version version, int32_t lo, int32_t hi,
                                   std::vector<int32_t>& ids) {
  ++query_;
  return TakeIn(version, {0, num_positions_}, {lo, hi}, ids);
}

int32_t RangeSets::TakeIn(int32_t node, Range at, Range from,
                          std::vector<int32_t>& ids) {
  ++visits_;
  if (node < 0) return -1;
  if (from.lo <= at.lo && at.hi <= from.hi) {
    CollectIn(node, at, from, ids);
    return -1;
  }
  node = Own(node);
  const int32_t middle = Middle(at.lo, at.hi);
  if (const int32_t list = nodes_[node].list; list >= 0) {
    // It stays where nothing is taken: hand it down.
    const int32_t left = Own(nodes_[node].left);
    const int32_t right = Own(nodes_[node].right);
    nodes_[left].list = Concat(nodes_[left].list, list);
    nodes_[right].list = Concat(nodes_[right].list, list);
    nodes_[node] = {left, right, -1, epoch_};
  }
  if (from.lo < middle) {
    const int32_t left = TakeIn(nodes_[node].left, {at.lo, middle}, from, ids);
    nodes_[node].left = left;
  }
  if (middle < from.hi) {
    const int32_t right =
        TakeIn(nodes_[node].right, {middle, at.hi}, from, ids);
    nodes_[node].right = right;
  }
  return nodes_[node].left < 0 && nodes_[node].right < 0 ? -1 : node;
}

void RangeSets::Collect(Version version, int32_t lo, int32_t hi,
                        std::vector<int32_t>& ids) {
  ++query_;
  CollectIn(version, {0, num_positions_}, {lo, hi}, ids);
}

void RangeSets::CollectIn(int32_t node, Range at, Range from,
                          std::vector<int32_t>& ids) {
  ++visits_;
  if (node < 0) return;
  Report(nodes_[node].list, ids);
  if (at.hi - at.lo < 2) return;
  const int32_t middle = Middle(at.lo, at.hi);
  if (from.lo < middle) {
    CollectIn(nodes_[node].left, {at.lo, middle}, from, ids);
  }
  if (middle < from.hi) {
    CollectIn(nodes_[node].right, {middle, at.hi}, from, ids);
  }
}

void RangeSets::CollectRanges(Version version, int32_t lo, int32_t hi,
                              std::vector<Found>& found) {
  const auto first = static_cast<std::ptrdiff_t>(found.size());
  CollectRangesIn(version, {0, num_positions_}, {lo, hi}, found);
  std::sort(found.begin() + first, found.end(),
            [](const Found& a, const Found& b) {
              return std::tie(a.id, a.lo, a.hi) < std::tie(b.id, b.lo, b.hi);
            });
  auto last = static_cast<size_t>(first);
  for (size_t i = last + 1; i < found.size(); ++i) {
    if (found[i].id == found[last].id && found[i].lo <= found[last].hi) {
      found[last].hi = std::max(found[last].hi, found[i].hi);
    } else {
      found[++last] = found[i];
    }
  }
  if (last < found.size()) found.resize(last + 1);
}

void RangeSets::CollectRangesIn(int32_t node, Range at, Range from,
                                std::vector<Found>& found) {
  ++visits_;
  if (node < 0) return;
  ++query_;
  ids_.clear();
  Report(nodes_[node].list, ids_);
  for (const int32_t id : ids_) {
    found.push_back({id, std::max(at.lo, from.lo), std::min(at.hi, from.hi)});
  }
  if (at.hi - at.lo < 2) return;
  const int32_t middle = Middle(at.lo, at.hi);
  if (from.lo < middle) {
    CollectRangesIn(nodes_[node].left, {at.lo, middle}, from, found);
  }
  if (middle < from.hi) {
    CollectRangesIn(nodes_[node].right, {middle, at.hi}, from, found);
  }
}

RangeSets::Version RangeSets::Join(Version a, Version b) {
  ++visits_;
  if (a == b || b < 0) return a;
  if (a < 0) return b;
  Node joined;
  joined.left = Join(nodes_[a].left, nodes_[b].left);
  joined.right = Join(nodes_[a].right, nodes_[b].right);
  joined.list = Concat(nodes_[a].list, nodes_[b].list);
  joined.epoch = epoch_;
  const auto same = [&](int32_t other) {
    const Node& node = nodes_[other];
    return node.left == joined.left && node.right == joined.right &&
           node.list == joined.list;
  };
  if (same(a)) return a;
  if (same(b)) return b;
  nodes_.push_back(joined);
  return static_cast<int32_t>(nodes_.size()) - 1;
}

}  // namespace berth
