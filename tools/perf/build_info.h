// How this program was built, for figures that name their compiler and flags.
#ifndef BERTH_TOOLS_PERF_BUILD_INFO_H_
#define BERTH_TOOLS_PERF_BUILD_INFO_H_

#include <string>

namespace berth::perf {

struct BuildInfo {
  std::string compiler;  // "gcc 12.2.0"
  std::string flags;     // "-c opt -O2 x86-64"
  bool debug = false;    // assertions are on, or no optimisation
};

// Of the translation unit build_info.cc: the same flags as all of a build.
BuildInfo ThisBuild();

}  // namespace berth::perf

#endif  // BERTH_TOOLS_PERF_BUILD_INFO_H_
