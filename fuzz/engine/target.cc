#include "fuzz/engine/target.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace berth::fuzz {
namespace {

// A function's static: registration runs before main, in any order of files.
std::vector<Target>& Registry() {
  static std::vector<Target>* const registry = new std::vector<Target>();
  return *registry;
}

}  // namespace

bool RegisterTarget(const Target& target) {
  Registry().push_back(target);
  return true;
}

std::vector<Target> Targets() {
  std::vector<Target> targets = Registry();
  std::sort(targets.begin(), targets.end(),
            [](const Target& a, const Target& b) {
              return absl::string_view(a.name) < absl::string_view(b.name);
            });
  return targets;
}

Target FindTarget(absl::string_view name) {
  for (const Target& target : Registry()) {
    if (name == target.name) return target;
  }
  std::fprintf(stderr, "no fuzz target is called '%s'\n",
               std::string(name).c_str());
  std::exit(2);
}

}  // namespace berth::fuzz
