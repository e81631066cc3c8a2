#include "bench/interference/common.h"

#include <map>

#include "absl/strings/str_format.h"

namespace berth::bench {

bool AgreesWithOthers(const std::string& name, uint64_t hash) {
  static std::map<std::string, uint64_t>& known =
      *new std::map<std::string, uint64_t>();
  return known.emplace(name, hash).first->second == hash;
}

std::string Label(double ids, uint64_t hash) {
  return absl::StrFormat("%.1f ids hash=%016x", ids, hash);
}

}  // namespace berth::bench
