#include "tools/perf/build_info.h"

#include <string>

// Given by the BUILD file.
#ifndef BERTH_COMPILATION_MODE
#define BERTH_COMPILATION_MODE "unknown"
#endif

namespace berth::perf {
namespace {

#ifdef NDEBUG
constexpr bool kAssertions = false;
#else
constexpr bool kAssertions = true;
#endif

#ifdef __OPTIMIZE__
constexpr bool kOptimised = true;
#else
constexpr bool kOptimised = false;
#endif

std::string Compiler() {
#ifdef __clang__
  return std::string("clang ") + __clang_version__;
#else
  return std::string("gcc ") + __VERSION__;
#endif
}

std::string Flags() {
  std::string flags = "-c " BERTH_COMPILATION_MODE;
#ifdef __OPTIMIZE_SIZE__
  flags += " -Os";
#endif
#ifdef __AVX2__
  flags += " -mavx2";
#endif
#ifdef __SANITIZE_ADDRESS__
  flags += " -fsanitize=address";
#endif
#ifdef __SANITIZE_THREAD__
  flags += " -fsanitize=thread";
#endif
#ifdef __clang__
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(undefined_behavior_sanitizer)
  flags += " -fsanitize";
#endif
#endif
  return flags;
}

}  // namespace

BuildInfo ThisBuild() {
  return {Compiler(), Flags(), kAssertions || !kOptimised};
}

}  // namespace berth::perf
