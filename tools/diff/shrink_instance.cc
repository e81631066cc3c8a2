// ShrinkInstance of shrink.h.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "allocator/model/instance.h"
#include "tools/diff/shrink.h"
#include "tools/diff/shrinker.h"

namespace berth {
namespace {

Instance WithoutBuffers(const Instance& instance, size_t begin, size_t end) {
  Instance left = instance;
  left.buffers.erase(left.buffers.begin() + static_cast<std::ptrdiff_t>(begin),
                     left.buffers.begin() + static_cast<std::ptrdiff_t>(end));
  return left;
}

// Times as their ranks: the same overlaps, no holes.
Instance Renumbered(Instance instance) {
  std::vector<int64_t> times;
  for (const Buffer& buffer : instance.buffers) {
    times.insert(times.end(), {buffer.lower, buffer.upper});
    for (const Gap& gap : buffer.gaps) {
      times.insert(times.end(), {gap.lower, gap.upper});
    }
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  const auto rank = [&times](int64_t& time) {
    time = std::lower_bound(times.begin(), times.end(), time) - times.begin();
  };
  for (Buffer& buffer : instance.buffers) {
    rank(buffer.lower);
    rank(buffer.upper);
    for (Gap& gap : buffer.gaps) {
      rank(gap.lower);
      rank(gap.upper);
    }
  }
  return instance;
}

// One change of one buffer; false if it has nothing of the kind.
using Change = bool (*)(Buffer&);
constexpr Change kChanges[] = {
    [](Buffer& b) { return !std::exchange(b.gaps, {}).empty(); },
    [](Buffer& b) { return std::exchange(b.alignment, 1) != 1; },
    [](Buffer& b) {
      const bool had = b.offset.has_value();
      b.offset.reset();
      return had;
    },
    [](Buffer& b) { return std::exchange(b.size, 1) > 1; },
    [](Buffer& b) { return std::exchange(b.size, b.size / 2) > 2; },
    [](Buffer& b) {
      b.size -= b.size > 2 ? 1 : 0;
      return b.size > 1;
    },
};

bool SimplifyBuffers(Shrinker<Instance>& shrinker) {
  bool any = false;
  for (const Change change : kChanges) {
    for (size_t i = 0; i < shrinker.value().buffers.size(); ++i) {
      // Again while it helps: sizes fall by halves, then by ones.
      for (int again = 0; again < 64; ++again) {
        Instance candidate = shrinker.value();
        if (!change(candidate.buffers[i]) ||
            !shrinker.Try(std::move(candidate))) {
          break;
        }
        any = true;
      }
    }
  }
  return any;
}

}  // namespace

Instance ShrinkInstance(Instance instance,
                        const std::function<bool(const Instance&)>& holds,
                        const ShrinkLimits& limits, ShrinkStats& stats) {
  Shrinker<Instance> shrinker(std::move(instance), holds, limits, stats);
  bool changed = true;
  while (changed && !stats.exhausted) {
    changed = shrinker.DropPieces(
        [](const Instance& i) { return i.buffers.size(); }, WithoutBuffers);
    changed |= shrinker.Try(Renumbered(shrinker.value()));
    changed |= SimplifyBuffers(shrinker);
  }
  return shrinker.value();
}

}  // namespace berth
