#include "allocator/pipeline/sharing.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/status_macros.h"
#include "allocator/model/program.h"

namespace berth {
namespace {

// What a location is while chains are followed.
constexpr int32_t kNotShared = -1;
constexpr int32_t kUnknown = -2;
constexpr int32_t kOnChain = -3;

bool IsSharedDram(const Location& location) {
  return location.type == MemoryType::kDram && location.space == Space::kShared;
}

template <typename... Parts>
absl::Status Fault(const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

std::string AddressText(const Location& location) {
  return location.address.has_value()
             ? absl::StrCat("is pre-placed at ", *location.address)
             : "has no address";
}

}  // namespace

std::string PlaceName(const std::vector<const Module*>& modules,
                      const LocationPlace& place) {
  return absl::StrCat("'", LocationAt(modules, place).name, "' of core ",
                      place.core, " ",
                      modules[place.core]->functions[place.function].name);
}

class SharingBuilder {
 public:
  explicit SharingBuilder(const Program& program)
      : modules_(ModulesByCore(program)), functions_(modules_.size()) {}

  absl::StatusOr<Sharing> Build() && {
    BERTH_RETURN_IF_ERROR(FindOwners());
    std::vector<std::pair<int32_t, LocationPlace>> copies;
    for (const LocationPlace& copy : linked_) {
      BERTH_RETURN_IF_ERROR(Follow(copy));
      copies.emplace_back(Row(copy), copy);
    }
    std::sort(copies.begin(), copies.end(), [](const auto& a, const auto& b) {
      return std::tie(a.first, a.second.core, a.second.function,
                      a.second.location) < std::tie(b.first, b.second.core,
                                                    b.second.function,
                                                    b.second.location);
    });
    size_t next = 0;
    for (size_t t = 0; t < sharing_.owners_.size(); ++t) {
      while (next < copies.size() && copies[next].first == int64_t(t)) {
        sharing_.copies_.push_back(copies[next++].second);
      }
      sharing_.offsets_.push_back(
          static_cast<int32_t>(sharing_.copies_.size()));
      BERTH_RETURN_IF_ERROR(CheckCopies(static_cast<int32_t>(t)));
    }
    return std::move(sharing_);
  }

 private:
  int32_t& Row(const LocationPlace& p) {
    return sharing_.tensor_of_[p.core][p.function][p.location];
  }
  const Location& At(const LocationPlace& p) const {
    return LocationAt(modules_, p);
  }
  std::string NameOf(const LocationPlace& p) const {
    return PlaceName(modules_, p);
  }

  // Tensors of what stands for itself; linked_ gets what does not.
  absl::Status FindOwners() {
    sharing_.tensor_of_.resize(modules_.size());
    for (size_t c = 0; c < modules_.size(); ++c) {
      const auto core = static_cast<int32_t>(c);
      const auto& functions = modules_[c]->functions;
      sharing_.tensor_of_[c].resize(functions.size());
      for (size_t f = 0; f < functions.size(); ++f) {
        const auto& locations = functions[f].locations;
        std::vector<int32_t>& row = sharing_.tensor_of_[c][f];
        for (size_t l = 0; l < locations.size(); ++l) {
          const LocationPlace place{core, static_cast<int32_t>(f),
                                    static_cast<int32_t>(l)};
          const bool linked = locations[l].remote_target.has_value();
          if (!IsSharedDram(locations[l])) {
            if (!linked) continue;
            return Fault(NameOf(place),
                         " has a remote target but is no SHARED DRAM location");
          }
          if (row.empty()) row.assign(locations.size(), kNotShared);
          if (linked) {
            row[l] = kUnknown;
            linked_.push_back(place);
          } else {
            row[l] = static_cast<int32_t>(sharing_.owners_.size());
            sharing_.owners_.push_back(place);
          }
        }
      }
    }
    return absl::OkStatus();
  }

  // Gives `copy`, and all that its chain passes, the tensor at the end.
  absl::Status Follow(const LocationPlace& copy) {
    std::vector<LocationPlace> chain;
    LocationPlace at = copy;
    while (Row(at) == kUnknown) {
      Row(at) = kOnChain;
      chain.push_back(at);
      BERTH_ASSIGN_OR_RETURN(at, TargetOf(at));
    }
    if (Row(at) == kOnChain) return Circle(chain, at);
    for (const LocationPlace& passed : chain) Row(passed) = Row(at);
    return absl::OkStatus();
  }

  absl::Status Circle(const std::vector<LocationPlace>& chain,
                      const LocationPlace& back) const {
    constexpr size_t kMostNamed = 8;
    std::string text;
    const auto first = std::find(chain.begin(), chain.end(), back);
    const auto length = static_cast<size_t>(chain.end() - first);
    for (size_t i = 0; i < std::min(length, kMostNamed); ++i) {
      absl::StrAppend(&text, NameOf(first[i]), " -> ");
    }
    if (length > kMostNamed) absl::StrAppend(&text, "... -> ");
    return Fault("remote targets go in a circle: ", text, NameOf(back));
  }

  absl::StatusOr<LocationPlace> TargetOf(const LocationPlace& from) {
    const RemoteTarget& target = *At(from).remote_target;
    const std::string& function =
        modules_[from.core]->functions[from.function].name;
    const auto missing = [&](absl::string_view what) {
      return Fault("the remote target of ", NameOf(from), " is '", target.name,
                   "' of core ", target.core, " ", function, ", but ", what);
    };
    if (target.core < 0 ||
        static_cast<size_t>(target.core) >= modules_.size()) {
      return missing(absl::StrCat("cores are 0 to ", modules_.size() - 1));
    }
    const FunctionIndex& index = FunctionsOf(target.core);
    const auto f = index.find(function);
    if (f == index.end()) return missing("that core has no such function");
    const LocationIndex& names = LocationsOf({target.core, f->second, 0});
    const auto l = names.find(target.name);
    if (l != names.end()) {
      return LocationPlace{target.core, f->second, l->second};
    }
    for (const Location& location :
         modules_[target.core]->functions[f->second].locations) {
      if (location.name == target.name) {
        return missing("that is no SHARED DRAM location");
      }
    }
    return missing("there is no such location");
  }

  using FunctionIndex = absl::flat_hash_map<absl::string_view, int32_t>;
  using LocationIndex = absl::flat_hash_map<absl::string_view, int32_t>;

  // Indices are built when first asked.
  const FunctionIndex& FunctionsOf(int32_t core) {
    FunctionIndex& index = functions_[core];
    const auto& functions = modules_[core]->functions;
    if (index.empty()) {
      for (size_t f = 0; f < functions.size(); ++f) {
        index.emplace(functions[f].name, static_cast<int32_t>(f));
      }
    }
    return index;
  }
  const LocationIndex& LocationsOf(const LocationPlace& function) {
    const auto key = std::make_pair(function.core, function.function);
    const auto [it, added] = locations_.try_emplace(key);
    if (added) {
      const auto& locations =
          modules_[function.core]->functions[function.function].locations;
      for (size_t l = 0; l < locations.size(); ++l) {
        if (!IsSharedDram(locations[l])) continue;
        it->second.emplace(locations[l].name, static_cast<int32_t>(l));
      }
    }
    return it->second;
  }

  absl::Status CheckCopies(int32_t tensor) const {
    const LocationPlace& owner = sharing_.owner(tensor);
    const LocationPlace* previous = nullptr;
    for (const LocationPlace& copy : sharing_.copies(tensor)) {
      if (copy.core == owner.core ||
          (previous != nullptr && previous->core == copy.core)) {
        const LocationPlace& other =
            copy.core == owner.core ? owner : *previous;
        return Fault("core ", copy.core, " has two copies of ", NameOf(owner),
                     ": ", NameOf(other), " and ", NameOf(copy));
      }
      BERTH_RETURN_IF_ERROR(CheckCopy(owner, copy));
      previous = &copy;
    }
    return absl::OkStatus();
  }

  absl::Status CheckCopy(const LocationPlace& owner_place,
                         const LocationPlace& copy_place) const {
    const Location& owner = At(owner_place);
    const Location& copy = At(copy_place);
    const auto fault = [&](absl::string_view of_copy,
                           absl::string_view of_owner) {
      return Fault(NameOf(copy_place), " ", of_copy, ", its owner ",
                   NameOf(owner_place), " ", of_owner);
    };
    if (copy.byte_size() != owner.byte_size()) {
      return fault(absl::StrCat("has ", copy.byte_size(), " bytes"),
                   absl::StrCat("has ", owner.byte_size()));
    }
    if (copy.placeable() != owner.placeable()) {
      return fault(copy.placeable() ? "is placeable" : "is not placeable",
                   owner.placeable() ? "is" : "is not");
    }
    if (copy.address != owner.address) {
      return fault(AddressText(copy), AddressText(owner));
    }
    if (!owner.address.has_value()) return absl::OkStatus();
    const auto contradicts = [](const std::optional<uint32_t>& a,
                                const std::optional<uint32_t>& b) {
      return a.value_or(0) != b.value_or(0);
    };
    if (contradicts(copy.partition, owner.partition)) {
      return fault(
          absl::StrCat("is in partition ", copy.partition.value_or(0)),
          absl::StrCat("is in partition ", owner.partition.value_or(0)));
    }
    if (contradicts(copy.bank, owner.bank)) {
      return fault(absl::StrCat("is in bank ", copy.bank.value_or(0)),
                   absl::StrCat("is in bank ", owner.bank.value_or(0)));
    }
    return absl::OkStatus();
  }

  const std::vector<const Module*> modules_;
  std::vector<FunctionIndex> functions_;
  absl::flat_hash_map<std::pair<int32_t, int32_t>, LocationIndex> locations_;
  std::vector<LocationPlace> linked_;
  Sharing sharing_;
};

absl::StatusOr<Sharing> Sharing::Of(const Program& program) {
  return SharingBuilder(program).Build();
}

}  // namespace berth
