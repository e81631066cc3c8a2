// Kind nested: lifetimes nested like a stack, where trees pruned by the
// greatest end alone do worst and a stack places perfectly.
//
// Three shapes follow one another: towers (push all, pop all), sawteeth (push a
// few more than are popped, then all the way down) and random walks.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "allocator/base/rng.h"
#include "allocator/gen/draws.h"
#include "allocator/gen/families.h"
#include "allocator/gen/timeline.h"

namespace berth::gen {
namespace {

constexpr int64_t kMaxDepth = 256;

class Stack {
 public:
  Stack(Rng& rng, int64_t num_locations)
      : rng_(rng), num_locations_(num_locations) {}

  bool full() const { return left() == 0; }
  int64_t left() const {
    return num_locations_ - static_cast<int64_t>(timeline_.bytes.size());
  }
  int64_t depth() const { return static_cast<int64_t>(stack_.size()); }

  void Push(int64_t count) {
    for (count = std::min(count, left()); count > 0; --count) {
      const auto id = static_cast<int32_t>(timeline_.bytes.size());
      timeline_.bytes.push_back(LogUniform(rng_, 12, 20));
      timeline_.events.push_back(id);
      stack_.push_back(id);
    }
  }

  void Pop(int64_t count) {
    for (count = std::min(count, depth()); count > 0; --count) {
      timeline_.events.push_back(stack_.back());
      stack_.pop_back();
    }
  }

  const Timeline& timeline() const { return timeline_; }

 private:
  Rng& rng_;
  const int64_t num_locations_;
  Timeline timeline_;
  std::vector<int32_t> stack_;
};

void Tower(Rng& rng, Stack& stack) {
  stack.Push(rng.Between(kMaxDepth / 4, kMaxDepth));
  stack.Pop(stack.depth());
}

void Sawtooth(Rng& rng, Stack& stack) {
  const int64_t teeth = rng.Between(4, 16);
  for (int64_t i = 0; i < teeth && !stack.full(); ++i) {
    const int64_t up = rng.Between(4, 16);
    stack.Push(up);
    stack.Pop(rng.Between(1, up - 1));
  }
  stack.Pop(stack.depth());
}

void Walk(Rng& rng, Stack& stack) {
  const int64_t steps = rng.Between(64, 512);
  for (int64_t i = 0; i < steps && !stack.full(); ++i) {
    // Up to down is two to one at the bottom, one to two at full depth.
    const uint64_t up = 2 * kMaxDepth - std::min(stack.depth(), kMaxDepth);
    if (rng.Below(3 * kMaxDepth - 1) < up) {
      stack.Push(1);
    } else {
      stack.Pop(1);
    }
  }
  stack.Pop(stack.depth());
}

Timeline Draw(const GenOptions& options) {
  Rng rng(options.seed);
  Stack stack(rng, options.size);
  while (!stack.full()) {
    switch (rng.Below(3)) {
      case 0:
        Tower(rng, stack);
        break;
      case 1:
        Sawtooth(rng, stack);
        break;
      default:
        Walk(rng, stack);
    }
  }
  return stack.timeline();
}

}  // namespace

Program NestedProgram(const GenOptions& options) {
  return ToProgram(Draw(options), Describe(options));
}

Instance NestedInstance(const GenOptions& options) {
  return ToInstance(Draw(options));
}

}  // namespace berth::gen
