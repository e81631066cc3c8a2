#include "bench/planner/common.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "allocator/base/check.h"
#include "allocator/base/fnv.h"
#include "allocator/base/status_macros.h"
#include "allocator/formats/csv.h"
#include "allocator/formats/program_io.h"
#include "allocator/gen/gen.h"
#include "bench/inputs.h"

namespace berth::bench {
namespace {

absl::StatusOr<ProblemWork> Numbered(std::string name, Instance instance) {
  ProblemWork work;
  work.name = std::move(name);
  work.instance = std::move(instance);
  BERTH_ASSIGN_OR_RETURN(work.numbered,
                         NumberInstance(work.instance, PlanOptions{}));
  return work;
}

struct Family {
  GenOptions options;
  bool problem = false;  // else a program
};

absl::StatusOr<Family> FamilyOf(const std::string& name, uint64_t seed) {
  Family family;
  family.options.seed = seed;
  absl::string_view live = name;
  if (absl::ConsumePrefix(&live, "live")) {
    family.options.kind = "random";
    family.problem = true;
    if (absl::SimpleAtod(live, &family.options.live)) return family;
  } else {
    family.options.kind = name;
    family.problem = name == "nested";
    const std::vector<GenKind>& kinds = GenKinds();
    if (std::any_of(kinds.begin(), kinds.end(),
                    [&](const GenKind& kind) { return kind.name == name; })) {
      return family;
    }
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--families: no family '", name, "'"));
}

void AddFamily(const std::string& name, const Family& family,
               const std::vector<int32_t>& sizes, Sources& sources) {
  const GenOptions options = family.options;
  if (family.problem) {
    sources.problems.push_back(std::make_shared<Source<ProblemWork>>(
        name, sizes, [name, options](int32_t n) {
          GenOptions sized = options;
          sized.size = n;
          auto instance = GenerateInstance(sized);
          BERTH_CHECK(instance.ok());
          auto work =
              Numbered(absl::StrCat(name, "/", n), *std::move(instance));
          BERTH_CHECK(work.ok());
          return *std::move(work);
        }));
    return;
  }
  sources.programs.push_back(std::make_shared<Source<ProgramWork>>(
      name, sizes, [name, options](int32_t n) {
        GenOptions sized = options;
        sized.size = n;
        auto program = GenerateProgram(sized);
        BERTH_CHECK(program.ok());
        return ProgramWork{absl::StrCat(name, "/", n), *std::move(program)};
      }));
}

absl::Status AddInput(const std::string& path, Sources& sources) {
  BERTH_ASSIGN_OR_RETURN(const std::string content, ReadFile(path));
  const std::string name =
      absl::StrReplaceAll(path.substr(path.rfind('/') + 1), {{"/", "_"}});
  const Format format = DetectFormat(content);
  if (format == Format::kCsv) {
    BERTH_ASSIGN_OR_RETURN(CsvDocument document, ReadCsv(content, path, {}));
    BERTH_RETURN_IF_ERROR(
        NumberInstance(document.instance, PlanOptions{}).status());
    const int32_t n = static_cast<int32_t>(document.instance.buffers.size());
    sources.problems.push_back(std::make_shared<Source<ProblemWork>>(
        name, std::vector<int32_t>{n},
        [name, instance = std::move(document.instance)](int32_t) {
          auto work = Numbered(name, instance);
          BERTH_CHECK(work.ok());
          return *std::move(work);
        }));
    return absl::OkStatus();
  }
  BERTH_ASSIGN_OR_RETURN(Program program, format == Format::kProgramBinary
                                              ? ReadProgramBinary(content, path)
                                              : ReadProgramText(content, path));
  int32_t n = 0;
  for (const Module& module : program.modules) {
    for (const Function& function : module.functions) {
      n += static_cast<int32_t>(function.locations.size());
    }
  }
  sources.programs.push_back(std::make_shared<Source<ProgramWork>>(
      name, std::vector<int32_t>{n},
      [work = ProgramWork{name, std::move(program)}](int32_t) {
        return work;
      }));
  return absl::OkStatus();
}

template <typename Value>
uint64_t Hash(const std::vector<Value>& values) {
  Fnv1a64 hash;
  for (const Value value : values) {
    hash.AddLittleEndian64(static_cast<uint64_t>(value));
  }
  return hash.hash();
}

}  // namespace

absl::StatusOr<Sources> MakeSources(const Settings& settings) {
  Sources sources;
  for (const std::string& name : settings.families) {
    BERTH_ASSIGN_OR_RETURN(const Family family, FamilyOf(name, settings.seed));
    for (const int32_t n : settings.sizes) {
      if (n > kMaxGenSize) {
        return absl::InvalidArgumentError(
            absl::StrCat("--sizes: ", n, " is over ", kMaxGenSize));
      }
    }
    AddFamily(name, family, settings.sizes, sources);
  }
  for (const std::string& input : settings.inputs) {
    BERTH_RETURN_IF_ERROR(AddInput(input, sources));
  }
  return sources;
}

uint64_t HashOf(const std::vector<int32_t>& values) { return Hash(values); }
uint64_t HashOf(const std::vector<uint64_t>& values) { return Hash(values); }

std::string HashLabel(uint64_t hash) {
  return absl::StrFormat("hash=%016x", hash);
}

bool SameResult(const std::string& key, uint64_t hash,
                benchmark::State& state) {
  if (AgreesWithOthers(key, hash)) {
    state.SetLabel(HashLabel(hash));
    return true;
  }
  state.SkipWithError("contenders disagree");
  return false;
}

}  // namespace berth::bench
