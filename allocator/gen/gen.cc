#include "allocator/gen/gen.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "allocator/base/status_macros.h"
#include "allocator/gen/families.h"
#include "allocator/gen/split.h"

namespace berth {
namespace {

constexpr double kMinLive = 1.0 / 1024;
constexpr double kMaxLive = 1e6;

struct Family {
  const char* name;
  const char* summary;
  Program (*program)(const GenOptions&);
  Instance (*instance)(const GenOptions&);  // null: programs only
};

constexpr Family kFamilies[] = {
    {"random", "exponential lifetimes, sizes log-uniform 4 KiB to 4 MiB",
     gen::RandomProgram, gen::RandomInstance},
    {"transformer", "training step of a decoder, layers kept or recomputed",
     gen::TransformerProgram, nullptr},
    {"calls", "decoder for inference: main calls layers, which call halves",
     gen::CallsProgram, nullptr},
    {"cnn", "training step of a residual network with im2col workspaces",
     gen::CnnProgram, nullptr},
    {"loops", "loop nests with invariant and carried values, accumulators",
     gen::LoopsProgram, nullptr},
    {"branches", "nested branches with exclusive arms and several exits",
     gen::BranchesProgram, nullptr},
    {"adversarial", "perfect packings cut apart: a known optimum",
     gen::AdversarialProgram, gen::AdversarialInstance},
    {"nested", "lifetimes nested like a stack: towers, sawteeth, walks",
     gen::NestedProgram, gen::NestedInstance},
};

std::string KindNames() {
  std::string names;
  for (const Family& family : kFamilies) {
    absl::StrAppend(&names, names.empty() ? "" : ", ", family.name);
  }
  return names;
}

absl::StatusOr<const Family*> FindFamily(const GenOptions& options) {
  for (const Family& family : kFamilies) {
    if (options.kind == family.name) return &family;
  }
  return absl::InvalidArgumentError(absl::StrCat("unknown kind '", options.kind,
                                                 "'; kinds are ", KindNames()));
}

absl::Status CheckRanges(const GenOptions& options) {
  if (options.size < 1 || options.size > kMaxGenSize) {
    return absl::InvalidArgumentError(
        absl::StrCat("size ", options.size, " is not in 1..", kMaxGenSize));
  }
  if (options.cores < 1 || options.cores > kMaxSplitCores) {
    return absl::InvalidArgumentError(absl::StrCat(
        "cores ", options.cores, " is not in 1..", kMaxSplitCores));
  }
  if (options.size * options.cores > kMaxGenSize) {
    return absl::InvalidArgumentError(
        absl::StrCat("size ", options.size, " on each of ", options.cores,
                     " cores is more than ", kMaxGenSize, " locations"));
  }
  // Written so that NaN fails too.
  if (!(options.live >= kMinLive && options.live <= kMaxLive)) {
    return absl::InvalidArgumentError(
        absl::StrCat("mean live set ", options.live, " is not in 1/1024..1e6"));
  }
  return absl::OkStatus();
}

}  // namespace

std::string gen::Describe(const GenOptions& options) {
  return absl::StrCat("generated: ", options.kind, ", size ", options.size,
                      ", seed ", options.seed);
}

const std::vector<GenKind>& GenKinds() {
  static const auto& kinds = *[] {
    auto* result = new std::vector<GenKind>;
    for (const Family& family : kFamilies) {
      result->push_back(
          {family.name, family.summary, family.instance != nullptr});
    }
    return result;
  }();
  return kinds;
}

absl::StatusOr<Program> GenerateProgram(const GenOptions& options) {
  BERTH_ASSIGN_OR_RETURN(const Family* family, FindFamily(options));
  BERTH_RETURN_IF_ERROR(CheckRanges(options));
  Program program = family->program(options);
  if (options.cores == 1) return program;
  return SplitProgram(program, options.cores);
}

absl::StatusOr<Instance> GenerateInstance(const GenOptions& options) {
  BERTH_ASSIGN_OR_RETURN(const Family* family, FindFamily(options));
  BERTH_RETURN_IF_ERROR(CheckRanges(options));
  if (family->instance == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(
        "kind ", options.kind, " makes programs, not CSV problems"));
  }
  if (options.cores != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("cores ", options.cores, ": a CSV problem has one"));
  }
  return family->instance(options);
}

absl::StatusOr<uint64_t> KnownOptimum(const GenOptions& options) {
  BERTH_ASSIGN_OR_RETURN(const Family* family, FindFamily(options));
  BERTH_RETURN_IF_ERROR(CheckRanges(options));
  if (family->program != gen::AdversarialProgram) {
    return absl::InvalidArgumentError(absl::StrCat(
        "kind ", options.kind, " knows no optimum; adversarial does"));
  }
  return gen::AdversarialOptimumBytes(options);
}

}  // namespace berth
