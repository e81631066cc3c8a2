// Lines across a panel, from run records or from what is drawn. Internal to
// tools/show.
#ifndef BERTH_TOOLS_SHOW_PANEL_MARKS_H_
#define BERTH_TOOLS_SHOW_PANEL_MARKS_H_

#include <cstdint>
#include <vector>

#include "allocator/model/program.h"
#include "tools/show/memory_map.h"

namespace berth::show {

// Weights over closed times, and their greatest sum.
class LoadSweep {
 public:
  void Add(int64_t lo, int64_t hi, uint64_t weight);
  // Saturates. Cost: O(n log n).
  uint64_t Max();

 private:
  struct Step {
    int64_t time;
    bool end;
    uint64_t weight;
  };
  std::vector<Step> steps_;
};

// Floor, lower bound, peak, ceiling and CC region of one run.
void AddRunMarks(const RunRecord& run, MapPanel& panel);

// Peak of what is drawn, and the greatest load, where no run says more.
void AddDerivedMarks(uint64_t lower_bound, MapPanel& panel);

}  // namespace berth::show

#endif  // BERTH_TOOLS_SHOW_PANEL_MARKS_H_
