// What both shrinkers share: tries under a limit, and taking pieces out of a
// sequence by halves. Private to this folder.
#ifndef BERTH_TOOLS_DIFF_SHRINKER_H_
#define BERTH_TOOLS_DIFF_SHRINKER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "tools/diff/shrink.h"

namespace berth {

template <typename Value>
class Shrinker {
 public:
  Shrinker(Value value, const std::function<bool(const Value&)>& holds,
           const ShrinkLimits& limits, ShrinkStats& stats)
      : value_(std::move(value)),
        holds_(holds),
        limits_(limits),
        stats_(stats) {}

  const Value& value() const { return value_; }

  // Takes `candidate` if it is another one and it still holds.
  bool Try(Value candidate) {
    if (candidate == value_) return false;
    if (stats_.tries >= limits_.tries) {
      stats_.exhausted = true;
      return false;
    }
    ++stats_.tries;
    if (!holds_(candidate)) return false;
    value_ = std::move(candidate);
    return true;
  }

  // Of count() items, drops [begin, end) by `without` wherever that still
  // holds: all of them, halves, ... single ones. True if any went.
  bool DropPieces(
      const std::function<size_t(const Value&)>& count,
      const std::function<Value(const Value&, size_t, size_t)>& without) {
    bool any = false;
    for (size_t piece = std::max<size_t>(1, count(value_)); piece > 0;
         piece /= 2) {
      size_t begin = 0;
      while (begin < count(value_)) {
        const size_t end = std::min(begin + piece, count(value_));
        if (Try(without(value_, begin, end))) {
          any = true;  // what followed is at `begin` now
        } else {
          begin = end;
        }
      }
    }
    return any;
  }

 private:
  Value value_;
  const std::function<bool(const Value&)>& holds_;
  const ShrinkLimits& limits_;
  ShrinkStats& stats_;
};

}  // namespace berth

#endif  // BERTH_TOOLS_DIFF_SHRINKER_H_
