// Whether rendezvous order what cores do to the same bytes of a shared tensor
// (spec §10).
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "allocator/base/status_macros.h"
#include "allocator/model/program.h"
#include "allocator/pipeline/shared_times.h"
#include "allocator/pipeline/sharing.h"
#include "allocator/rendezvous/core_order.h"
#include "allocator/rendezvous/next_iteration.h"

namespace berth {
namespace {

// The accesses to some bytes that a later one has to come after.
class ByteHistory {
 public:
  // One that `next` may not go with, or null. `ordered(last, next)` is asked of
  // accesses of different cores, one of them a def.
  template <typename Ordered>
  const SharedAccess* Clash(const SharedAccess& next, Ordered ordered) const {
    for (const SharedAccess* last : last_) {
      if (!(last->def || next.def)) continue;
      if (last->place.core == next.place.core) continue;
      if (!ordered(*last, next)) return last;
    }
    return nullptr;
  }

  // `always`: what comes after it comes after all that it came after. So it is
  // with a def, unless it stands in a loop that may be left before it.
  void Record(const SharedAccess& next, bool always) {
    if (next.def && always) last_.clear();
    for (const SharedAccess*& last : last_) {
      if (last->place.core != next.place.core || last->def != next.def) {
        continue;
      }
      if (last->time.hi < next.time.hi) last = &next;
      return;
    }
    last_.push_back(&next);
  }

 private:
  std::vector<const SharedAccess*> last_;
};

// The accesses of one tensor, by ranges of bytes that are accessed alike.
class TensorOrder {
 public:
  TensorOrder(const CoreOrder& order, NextIteration& next_iteration,
              absl::Span<const SharedAccess> accesses)
      : order_(order), next_iteration_(next_iteration), accesses_(accesses) {
    for (const SharedAccess& access : accesses) {
      cuts_.push_back(access.begin);
      cuts_.push_back(access.end);
    }
    std::sort(cuts_.begin(), cuts_.end());
    cuts_.erase(std::unique(cuts_.begin(), cuts_.end()), cuts_.end());
  }

  struct Clash {
    const SharedAccess* one = nullptr;  // null: there is none
    const SharedAccess* other = nullptr;
    uint64_t byte = 0;
    bool next_iteration = false;
  };

  Clash Find() {
    Clash clash = FindInOrder();
    if (clash.one != nullptr || order_.loops().empty()) return clash;
    // Of each class of loops what stands in it.
    std::map<int32_t, std::vector<const SharedAccess*>> in_class;
    for (const SharedAccess& access : accesses_) {
      for (int32_t loop = LoopOf(access); loop >= 0;
           loop = order_.loops()[loop].parent) {
        in_class[order_.loops()[loop].of_class].push_back(&access);
      }
    }
    for (const auto& [loop_class, accesses] : in_class) {
      clash = FindInLoop(loop_class, accesses);
      if (clash.one != nullptr) break;
    }
    return clash;
  }

 private:
  // Calls visit(cut) for each range of the access until it returns true.
  template <typename Visit>
  bool AnyCut(const SharedAccess& access, Visit visit) const {
    auto cut = std::lower_bound(cuts_.begin(), cuts_.end(), access.begin);
    for (; cut != cuts_.end() && *cut < access.end; ++cut) {
      if (visit(static_cast<size_t>(cut - cuts_.begin()))) return true;
    }
    return false;
  }

  int32_t LoopOf(const SharedAccess& access) const {
    return order_.LoopAt(access.place.core, access.time.lo);
  }

  Clash FindInOrder() const {
    std::vector<ByteHistory> histories(cuts_.size());
    const auto ordered = [&](const SharedAccess& a, const SharedAccess& b) {
      return order_.Before(a.place.core, a.time.hi, b.place.core, b.time.lo) ||
             order_.Together(a.place.core, a.time.hi, b.place.core, b.time.lo);
    };
    Clash clash;
    for (const SharedAccess& access : accesses_) {
      const bool always = access.def && LoopOf(access) < 0;
      const bool found = AnyCut(access, [&](size_t cut) {
        clash = {histories[cut].Clash(access, ordered), &access, cuts_[cut],
                 false};
        histories[cut].Record(access, always);
        return clash.one != nullptr;
      });
      if (found) return clash;
    }
    return {};
  }

  // One iteration is in order; the next one has to come after it.
  Clash FindInLoop(int32_t loop_class,
                   absl::Span<const SharedAccess* const> accesses) {
    std::vector<ByteHistory> histories(cuts_.size());
    const auto always = [&](const SharedAccess& access) {
      const int32_t loop = LoopOf(access);
      return order_.loops()[loop].of_class == loop_class;
    };
    for (const SharedAccess* access : accesses) {
      AnyCut(*access, [&](size_t cut) {
        histories[cut].Record(*access, access->def && always(*access));
        return false;
      });
    }
    const auto ordered = [&](const SharedAccess& a, const SharedAccess& b) {
      return next_iteration_.Before(loop_class, a.place.core, a.time.hi,
                                    b.place.core, b.time.lo);
    };
    std::vector<bool> defined(cuts_.size());  // in the next iteration
    Clash clash;
    for (const SharedAccess* access : accesses) {
      const bool found = AnyCut(*access, [&](size_t cut) {
        if (defined[cut]) return false;
        clash = {histories[cut].Clash(*access, ordered), access, cuts_[cut],
                 true};
        defined[cut] = access->def && always(*access);
        return clash.one != nullptr;
      });
      if (found) return clash;
    }
    return {};
  }

  const CoreOrder& order_;
  NextIteration& next_iteration_;
  const absl::Span<const SharedAccess> accesses_;
  std::vector<uint64_t> cuts_;
};

}  // namespace

absl::Status CheckSharedOrder(const Program& program, const Sharing& sharing,
                              const CoreOrder& order,
                              const SharedTimes& times) {
  const std::vector<const Module*> modules = ModulesByCore(program);
  NextIteration next_iteration(order);
  for (int32_t tensor = 0; tensor < sharing.size(); ++tensor) {
    const TensorOrder::Clash clash =
        TensorOrder(order, next_iteration, times.of(tensor)).Find();
    if (clash.one == nullptr) continue;
    const auto say = [&](const CodePlace& place) {
      return Describe(*modules[place.core], place.function, place.flat);
    };
    return absl::InvalidArgumentError(absl::StrCat(
        say(clash.one->place), " and ", say(clash.other->place),
        " access shared ", PlaceName(modules, sharing.owner(tensor)),
        " (bytes from ", clash.byte, " on), ",
        clash.one->def && clash.other->def ? "both write"
                                           : "one of them writes",
        clash.next_iteration
            ? ", and no rendezvous orders one iteration of their loop before "
              "the next"
            : ", and no rendezvous orders them"));
  }
  return absl::OkStatus();
}

}  // namespace berth
