#include "allocator/placement/tight/engine.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>

#include "allocator/placement/tight/section_state.h"

namespace berth::tight {
namespace {

template <typename T>
class EngineOf : public Engine {
 public:
  explicit EngineOf(const SectionModel& model)
      : model_(model), search_(model) {}

  Outcome Run(int64_t capacity, int64_t max_steps,
              const Guide& guide) override {
    return search_.Run(static_cast<T>(capacity), max_steps, guide);
  }
  int64_t steps() const override { return search_.steps(); }
  int64_t best_area() const override { return search_.best_area(); }
  std::vector<int64_t> addresses() const override {
    return {search_.addresses().begin(), search_.addresses().end()};
  }

  size_t SnapshotBytes() const override {
    return SectionState<T>::SnapshotBytes(model_);
  }
  void StartBeam(int64_t capacity, int32_t width,
                 const BeamGuide& guide) override {
    if (!beam_.has_value()) beam_.emplace(model_);
    beam_->Start(static_cast<T>(capacity), width, guide);
  }
  void AdvanceBeam(int64_t max_steps) override { beam_->Advance(max_steps); }
  bool beam_running() const override {
    return beam_.has_value() && beam_->running();
  }
  Outcome beam_outcome() const override { return beam_->outcome(); }
  int64_t beam_steps() const override {
    return beam_.has_value() ? beam_->steps() : 0;
  }
  std::vector<int64_t> beam_addresses() const override {
    return {beam_->addresses().begin(), beam_->addresses().end()};
  }

 private:
  const SectionModel& model_;
  SectionSearch<T> search_;
  std::optional<BeamSearch<T>> beam_;
};

}  // namespace

std::unique_ptr<Engine> MakeEngine(const SectionModel& model, int64_t highest) {
  int64_t largest = 0;
  for (const int64_t size : model.size) largest = std::max(largest, size);
  const int64_t most = std::max(highest, model.max_load) + largest;
  if (most < std::numeric_limits<int16_t>::max()) {
    return std::make_unique<EngineOf<int16_t>>(model);
  }
  if (most < std::numeric_limits<int32_t>::max()) {
    return std::make_unique<EngineOf<int32_t>>(model);
  }
  return std::make_unique<EngineOf<int64_t>>(model);
}

}  // namespace berth::tight
