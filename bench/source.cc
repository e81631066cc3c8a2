#include "bench/source.h"

#include <map>

namespace berth::bench {

bool AgreesWithOthers(const std::string& name, uint64_t hash) {
  static std::map<std::string, uint64_t>& known =
      *new std::map<std::string, uint64_t>();
  return known.emplace(name, hash).first->second == hash;
}

}  // namespace berth::bench
