#include "allocator/placement/tight/beam_ladder.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "allocator/base/check.h"
#include "allocator/placement/tight/descent.h"
#include "allocator/placement/tight/luby.h"
#include "allocator/placement/tight/section_state.h"

namespace berth::tight {
namespace {

constexpr int64_t kMaxSnapshotBytes = int64_t{16} << 20;
constexpr int64_t kNoisePercent = 20;
constexpr int64_t kHalfPermille[] = {2, 5};
constexpr uint64_t kSeed = 0x6265616d;

}  // namespace

BeamLadder::BeamLadder(const SectionModel& model, Engine& engine)
    : model_(model),
      engine_(engine),
      max_width_(kMaxSnapshotBytes /
                 static_cast<int64_t>(2 * engine.SnapshotBytes())),
      rng_(kSeed) {
  for (const bool root : {false, true}) {
    std::vector<double>& worth = worth_.emplace_back();
    for (int32_t item = 0; item < model.num_items(); ++item) {
      const auto size = static_cast<double>(model.size[item]);
      const auto length =
          static_cast<double>(model.sections_of.of(item).size());
      worth.push_back(length * (root ? std::sqrt(size) : size));
    }
    const double sum = std::accumulate(worth.begin(), worth.end(), 0.0);
    for (double& value : worth) value /= sum;
  }
}

Outcome BeamLadder::Advance(int64_t target, int64_t upper, int64_t max_steps) {
  BERTH_CHECK(target < upper && fits());
  if (engine_.beam_running() && (capacity_ < target || capacity_ >= upper)) {
    Start(target, upper);  // somebody else was quicker
  }
  if (!engine_.beam_running()) Start(target, upper);
  engine_.AdvanceBeam(max_steps);
  if (engine_.beam_running()) return Outcome::kLimit;
  failed_descents_ += engine_.beam_outcome() == Outcome::kFound ? 0 : 1;
  return engine_.beam_outcome();
}

void BeamLadder::Start(int64_t target, int64_t upper) {
  if (failed_descents_ == kDescents) {
    failed_descents_ = 0;
    ++round_;
  }
  capacity_ = NextBelow(upper, target, failed_descents_);
  const int64_t width = std::min(max_width_, kLeastWidth * Luby(round_));
  engine_.StartBeam(capacity_, static_cast<int32_t>(width), NextGuide());
}

// All items together are worth what all sections have at their greatest strain.
// No sum of products: some machines round those once, others twice.
BeamGuide BeamLadder::NextGuide() {
  BeamGuide guide;
  const std::vector<double>& worth = worth_[rng_.Below(worth_.size())];
  const auto all = static_cast<double>(SectionState<int64_t>::kStrainUnit *
                                       model_.num_sections());
  for (const double part : worth) {
    const auto percent =
        static_cast<double>(100 + rng_.Between(-kNoisePercent, kNoisePercent));
    guide.value.push_back(static_cast<int64_t>(part * all * percent / 100.0));
  }
  guide.half_permille = kHalfPermille[rng_.Below(std::size(kHalfPermille))];
  return guide;
}

}  // namespace berth::tight
