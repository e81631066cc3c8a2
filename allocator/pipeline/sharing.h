// Who owns what in the shared space (spec §10): remote targets followed to
// their owners, over all cores.
//
// A shared **tensor** is one SHARED DRAM location without a remote target (its
// owner) and every location whose chain of targets ends there (its copies); at
// most one of them per core, all in functions of one name.
//
// Thread-safety: const use from several threads is safe.
#ifndef BERTH_ALLOCATOR_PIPELINE_SHARING_H_
#define BERTH_ALLOCATOR_PIPELINE_SHARING_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "allocator/model/program.h"

namespace berth {

// A location: core, index of its function in the module, index there.
struct LocationPlace {
  int32_t core = 0;
  int32_t function = 0;
  int32_t location = 0;

  friend bool operator==(const LocationPlace&, const LocationPlace&) = default;
};

class Sharing {
 public:
  // kInvalidArgument that names the locations: a remote target of what is no
  // SHARED DRAM location; one that names a core, function or location that is
  // not there, or no SHARED DRAM one; targets that go in a circle; two copies
  // on one core; copies that differ in size, or of which one is placeable and
  // one is not; an address, partition or bank that came with one copy and that
  // others lack or contradict.
  //
  // REQUIRES: a checked program; keeps no reference to it.
  // Cost: O(locations), hashed where targets name them.
  static absl::StatusOr<Sharing> Of(const Program& program);

  // Tensors are 0 .. size() - 1, by owner: cores ascending, then file order.
  int32_t size() const { return static_cast<int32_t>(offsets_.size()) - 1; }
  // The owner of a tensor.
  const LocationPlace& owner(int32_t tensor) const { return owners_[tensor]; }
  // Its copies other than the owner, cores ascending.
  absl::Span<const LocationPlace> copies(int32_t tensor) const {
    return absl::MakeConstSpan(copies_).subspan(
        offsets_[tensor], offsets_[tensor + 1] - offsets_[tensor]);
  }
  // The tensor that a location belongs to, -1 if it is not SHARED DRAM.
  int32_t TensorOf(const LocationPlace& place) const {
    const std::vector<int32_t>& row = tensor_of_[place.core][place.function];
    return row.empty() ? -1 : row[place.location];
  }
  // Whether a function has any SHARED DRAM location. Cost: O(1).
  bool Any(int32_t core, int32_t function) const {
    return !tensor_of_[core][function].empty();
  }

 private:
  friend class SharingBuilder;

  std::vector<LocationPlace> owners_;
  std::vector<int32_t> offsets_ = {0};
  std::vector<LocationPlace> copies_;
  // By core and function, then location; empty without SHARED DRAM.
  std::vector<std::vector<std::vector<int32_t>>> tensor_of_;
};

// "'s' of core 1 main", as messages name it. `modules` by core.
std::string PlaceName(const std::vector<const Module*>& modules,
                      const LocationPlace& place);

inline const Location& LocationAt(const std::vector<const Module*>& modules,
                                  const LocationPlace& place) {
  return modules[place.core]
      ->functions[place.function]
      .locations[place.location];
}
inline Location& LocationAt(const std::vector<Module*>& modules,
                            const LocationPlace& place) {
  return modules[place.core]
      ->functions[place.function]
      .locations[place.location];
}

}  // namespace berth

#endif  // BERTH_ALLOCATOR_PIPELINE_SHARING_H_
