#include "allocator/pipeline/shared_times.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

#include "allocator/model/check_program.h"
#include "allocator/model/intervals.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/sharing.h"
#include "allocator/rendezvous/core_order.h"

namespace berth {
namespace {

constexpr Interval kNever = {std::numeric_limits<int32_t>::max(), -1};

// Walks all accesses of shared tensors.
class Collector {
 public:
  Collector(const Sharing& sharing, const CoreOrder& order)
      : sharing_(sharing), order_(order), hulls_(sharing.size(), kNever) {
    times_.collective.resize(sharing.size());
  }

  void Visit(int32_t core, int32_t index, const Function& function) {
    if (!sharing_.Any(core, index)) return;
    ForEachInstruction(
        function, [&](const Instruction& instruction, int32_t, int32_t flat) {
          const CodePlace place{core, index, flat};
          for (const Access& use : instruction.uses) {
            Visit(place, function, instruction, use, /*def=*/false);
          }
          for (const Access& def : instruction.defs) {
            Visit(place, function, instruction, def, /*def=*/true);
          }
        });
  }

  SharedTimes Finish() && {
    std::vector<SharedAccess>& accesses = times_.accesses;
    // Rank() once per access, not once per comparison.
    std::vector<std::pair<int64_t, int32_t>> by_rank;
    by_rank.reserve(accesses.size());
    for (size_t i = 0; i < accesses.size(); ++i) {
      by_rank.emplace_back(
          order_.Rank(accesses[i].place.core, accesses[i].time.lo),
          static_cast<int32_t>(i));
    }
    std::sort(by_rank.begin(), by_rank.end(),
              [&](const auto& a, const auto& b) {
                const SharedAccess& x = accesses[a.second];
                const SharedAccess& y = accesses[b.second];
                return std::tie(x.tensor, a.first, x.place.core, x.time.lo,
                                x.place.function, x.place.flat, a.second) <
                       std::tie(y.tensor, b.first, y.place.core, y.time.lo,
                                y.place.function, y.place.flat, b.second);
              });
    std::vector<SharedAccess> sorted;
    sorted.reserve(accesses.size());
    for (const auto& [rank, i] : by_rank) {
      const SharedAccess& access = accesses[i];
      while (static_cast<int32_t>(times_.offsets.size()) <= access.tensor) {
        times_.offsets.push_back(static_cast<int32_t>(sorted.size()));
      }
      sorted.push_back(access);
    }
    times_.offsets.resize(sharing_.size() + 1,
                          static_cast<int32_t>(sorted.size()));
    accesses = std::move(sorted);
    for (const Interval& hull : hulls_) {
      if (hull.hi < 0) {
        times_.phases.Append({});
      } else {
        times_.phases.Append({hull});
      }
    }
    return std::move(times_);
  }

 private:
  void Visit(const CodePlace& place, const Function& function,
             const Instruction& instruction, const Access& access, bool def) {
    const int32_t tensor =
        sharing_.TensorOf({place.core, place.function, access.location});
    if (tensor < 0) return;
    const Interval phases = order_.PhasesOf(place);
    Interval& hull = hulls_[tensor];
    hull.lo = std::min(hull.lo, phases.lo);
    hull.hi = std::max(hull.hi, phases.hi);
    if (instruction.kind == InstructionKind::kCollective) {
      times_.collective[tensor] = true;
    }
    SharedAccess record;
    record.tensor = tensor;
    record.place = place;
    record.def = def;
    record.begin = access.offset_bytes;
    record.end = access.offset_bytes +
                 AccessBytes(access, function.locations[access.location]);
    for (const Interval& time : order_.TimesOf(place)) {
      record.time = time;
      times_.accesses.push_back(record);
    }
  }

  const Sharing& sharing_;
  const CoreOrder& order_;
  std::vector<Interval> hulls_;
  SharedTimes times_;
};

}  // namespace

SharedTimes FindSharedTimes(const Program& program, const Sharing& sharing,
                            const CoreOrder& order) {
  Collector collector(sharing, order);
  for (const Module* module : ModulesByCore(program)) {
    for (size_t f = 0; f < module->functions.size(); ++f) {
      collector.Visit(module->core, static_cast<int32_t>(f),
                      module->functions[f]);
    }
  }
  return std::move(collector).Finish();
}

}  // namespace berth
