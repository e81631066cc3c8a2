// A row of leaves, each with a pressure total P and a right end, under a tree
// that answers: which leaves fell to K or below, and which low leaf comes
// first? The engine of BriggsOrder (briggs_order.cc); private to this folder.
//
// Leaves stand in the order of their intervals' left ends. An update subtracts
// from a range of leaves, or from those before a place whose right end reaches
// a time ("stab"). Blocks of kBlock leaves are flat arrays; over them stands a
// complete binary tree with pending additions, so that an update costs O(log n)
// for a range and one block for each kBlock neighbouring leaves that it stabs.
//
// T: a signed type that holds every P (int64_t, or int128 for huge sizes).
#ifndef BERTH_ALLOCATOR_PLACEMENT_PRESSURE_TREE_H_
#define BERTH_ALLOCATOR_PLACEMENT_PRESSURE_TREE_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "allocator/base/check.h"

namespace berth {

template <typename T>
class PressureTree {
 public:
  // The first low leaf by (P - head_size, head_size, head_id); leaf < 0: none.
  struct Best {
    T pressure = 0;
    int32_t leaf = -1;
  };

  // `right_ends[i]`: stabs at times <= it reach leaf i; -1: none does.
  // Totals start as `totals`; a leaf is low once its total is <= k.
  PressureTree(std::vector<int32_t> right_ends, std::vector<T> totals, T k)
      : right_end_(std::move(right_ends)),
        total_(std::move(totals)),
        k_(k),
        head_size_(total_.size()),
        head_id_(total_.size()),
        state_(total_.size(), kHigh) {
    const size_t blocks = (total_.size() + kBlock - 1) / kBlock;
    while (leaves_ < blocks) leaves_ *= 2;
    nodes_.resize(2 * leaves_);
    dirty_.resize(leaves_, false);
  }

  // The node that stands for a leaf: to be set before Build(), which no leaf is
  // low after, and whenever it changes (then followed by Refresh).
  void SetHead(int32_t leaf, uint64_t size, int32_t id) {
    head_size_[leaf] = size;
    head_id_[leaf] = id;
  }
  void Build() {
    for (size_t b = 0; b * kBlock < total_.size(); ++b) Summarise(b);
    for (size_t node = leaves_ - 1; node > 0; --node) Pull(node);
  }

  // The leaf is empty: no update or answer names it again.
  void Remove(int32_t leaf) {
    state_[leaf] = kGone;
    Refresh(leaf);
  }
  // Recomputes what is known above `leaf` after SetHead or Remove.
  void Refresh(int32_t leaf) {
    size_t node = leaves_ + leaf / kBlock;
    Summarise(leaf / kBlock);
    while (node /= 2) Pull(node);
  }

  // Adds `delta` to leaves [first, last).
  void AddRange(int32_t first, int32_t last, T delta) {
    if (first < last) AddRange(1, 0, leaves_, first, last, delta);
  }
  // Adds `delta` to one leaf, to be seen after Flush(): many such additions
  // cost one summary of each block they fall in.
  void AddPoint(int32_t leaf, T delta) {
    total_[leaf] += delta;
    const int32_t block = leaf / kBlock;
    if (!dirty_[block]) {
      dirty_[block] = true;
      dirty_blocks_.push_back(block);
    }
  }
  void Flush() {
    for (const int32_t block : dirty_blocks_) {
      dirty_[block] = false;
      Refresh(block * kBlock);
    }
    dirty_blocks_.clear();
  }

  // Adds `delta` to leaves of [first, last) whose right end is >= time.
  void AddStab(int32_t first, int32_t last, int32_t time, T delta) {
    if (first < last) AddStab(1, 0, leaves_, first, last, time, delta);
  }

  // Marks leaves whose total fell to k or below. Call it after a batch of
  // updates, before best(). Each leaf falls once.
  void SettleLow() {
    while (nodes_[1].min_high <= k_) MarkLow();
  }
  Best best() const { return {nodes_[1].best_pressure, nodes_[1].best_leaf}; }
  uint64_t visits() const { return visits_; }

 private:
  static constexpr int32_t kBlock = 32;
  static constexpr T kInfinity = std::numeric_limits<T>::max() / 2;
  enum State : uint8_t { kHigh, kLow, kGone };

  // What is known of the leaves below a node. `add` is still to be added to all
  // of them; the other figures include it.
  struct Node {
    T add = 0;
    T min_high = kInfinity;  // least total of leaves that are not low
    T best_pressure = kInfinity;
    int32_t best_leaf = -1;
    int32_t max_right = -1;  // over leaves that are not gone
    int32_t min_right = std::numeric_limits<int32_t>::max();
  };

  bool Before(T pressure, int32_t leaf, const Node& than) const {
    if (than.best_leaf < 0) return true;
    if (pressure != than.best_pressure) return pressure < than.best_pressure;
    if (head_size_[leaf] != head_size_[than.best_leaf]) {
      return head_size_[leaf] < head_size_[than.best_leaf];
    }
    return head_id_[leaf] < head_id_[than.best_leaf];
  }

  void Summarise(size_t block) {
    Node& node = nodes_[leaves_ + block];
    Node fresh;
    fresh.add = node.add;
    const int32_t end = BlockEnd(block);
    for (int32_t i = static_cast<int32_t>(block) * kBlock; i < end; ++i) {
      if (state_[i] == kGone) continue;
      const T total = total_[i] + node.add;
      fresh.max_right = std::max(fresh.max_right, right_end_[i]);
      fresh.min_right = std::min(fresh.min_right, right_end_[i]);
      if (state_[i] == kHigh) {
        fresh.min_high = std::min(fresh.min_high, total);
      } else if (const T pressure = total - static_cast<T>(head_size_[i]);
                 Before(pressure, i, fresh)) {
        fresh.best_pressure = pressure;
        fresh.best_leaf = i;
      }
    }
    node = fresh;
    visits_ += end - static_cast<int32_t>(block) * kBlock;
  }

  int32_t BlockEnd(size_t block) const {
    return static_cast<int32_t>(
        std::min(total_.size(), (block + 1) * size_t{kBlock}));
  }

  void Pull(size_t n) {
    Node& node = nodes_[n];
    const Node& a = nodes_[2 * n];
    const Node& b = nodes_[2 * n + 1];
    node.min_high = std::min(a.min_high, b.min_high);
    if (node.min_high < kInfinity) node.min_high += node.add;
    const Node& first =
        b.best_leaf >= 0 && Before(b.best_pressure, b.best_leaf, a) ? b : a;
    node.best_leaf = first.best_leaf;
    node.best_pressure = first.best_pressure;
    if (node.best_leaf >= 0) node.best_pressure += node.add;
    node.max_right = std::max(a.max_right, b.max_right);
    node.min_right = std::min(a.min_right, b.min_right);
    ++visits_;
  }

  void AddAll(size_t n, T delta) {
    Node& node = nodes_[n];
    node.add += delta;
    if (node.min_high < kInfinity) node.min_high += delta;
    if (node.best_leaf >= 0) node.best_pressure += delta;
  }

  // Below: node `n` covers blocks [lo, hi).
  void AddRange(size_t n, size_t lo, size_t hi, int32_t first, int32_t last,
                T delta) {
    const int64_t begin = static_cast<int64_t>(lo) * kBlock;
    const int64_t end = static_cast<int64_t>(hi) * kBlock;
    if (nodes_[n].max_right == -1 && nodes_[n].min_high == kInfinity &&
        nodes_[n].best_leaf < 0) {
      return;  // all gone
    }
    if (first <= begin && end <= last) return AddAll(n, delta);
    if (n >= leaves_) {
      const int32_t stop = std::min<int64_t>(end, last);
      for (int32_t i = std::max<int64_t>(begin, first); i < stop; ++i) {
        total_[i] += delta;
      }
      return Summarise(lo);
    }
    const size_t middle = (lo + hi) / 2;
    const int64_t split = static_cast<int64_t>(middle) * kBlock;
    if (first < split) AddRange(2 * n, lo, middle, first, last, delta);
    if (last > split) AddRange(2 * n + 1, middle, hi, first, last, delta);
    Pull(n);
  }

  void AddStab(size_t n, size_t lo, size_t hi, int32_t first, int32_t last,
               int32_t time, T delta) {
    const Node& node = nodes_[n];
    if (node.max_right < time) return;
    const int64_t begin = static_cast<int64_t>(lo) * kBlock;
    const int64_t end = static_cast<int64_t>(hi) * kBlock;
    if (node.min_right >= time && first <= begin && end <= last) {
      return AddAll(n, delta);
    }
    if (n >= leaves_) {
      const int32_t stop = std::min<int64_t>(BlockEnd(lo), last);
      for (int32_t i = std::max<int64_t>(begin, first); i < stop; ++i) {
        total_[i] += right_end_[i] >= time ? delta : T{0};
      }
      return Summarise(lo);
    }
    const size_t middle = (lo + hi) / 2;
    const int64_t split = static_cast<int64_t>(middle) * kBlock;
    if (first < split) AddStab(2 * n, lo, middle, first, last, time, delta);
    if (last > split) AddStab(2 * n + 1, middle, hi, first, last, time, delta);
    Pull(n);
  }

  // Marks every low leaf of one block, found by going down with the least
  // total.
  void MarkLow() {
    size_t n = 1;
    T add = 0;
    while (n < leaves_) {
      add += nodes_[n].add;
      n = nodes_[2 * n].min_high <= nodes_[2 * n + 1].min_high ? 2 * n
                                                               : 2 * n + 1;
    }
    add += nodes_[n].add;
    const size_t block = n - leaves_;
    bool any = false;
    for (int32_t i = static_cast<int32_t>(block) * kBlock; i < BlockEnd(block);
         ++i) {
      if (state_[i] == kHigh && total_[i] + add <= k_) {
        state_[i] = kLow;
        any = true;
      }
    }
    BERTH_CHECK(any);
    Refresh(static_cast<int32_t>(block) * kBlock);
  }

  std::vector<int32_t> right_end_;
  std::vector<T> total_;  // less the additions pending above
  const T k_;
  std::vector<uint64_t> head_size_;
  std::vector<int32_t> head_id_;
  std::vector<uint8_t> state_;
  size_t leaves_ = 1;        // blocks, rounded up to a power of two
  std::vector<Node> nodes_;  // nodes_[1] is the root
  std::vector<bool> dirty_;  // per block: waits for Flush()
  std::vector<int32_t> dirty_blocks_;
  uint64_t visits_ = 0;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PLACEMENT_PRESSURE_TREE_H_
