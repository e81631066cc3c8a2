// The validator against its plain twin on small random placements, right ones
// and broken ones: the same verdict for every invariant of every run.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/rng.h"
#include "allocator/model/instance.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/validate/validate.h"
#include "gtest/gtest.h"
#include "tests/validate/brute_force.h"

namespace berth {
namespace {

using testing::Broken;
using testing::BruteInstance;
using testing::BruteProgram;
using testing::Keys;
using testing::kUnitBytes;

template <typename Value, size_t N>
Value Pick(Rng* rng, const Value (&values)[N]) {
  return values[rng->Below(N)];
}

uint64_t RandomAddress(Rng* rng) { return kUnitBytes * rng->Below(96); }

Location RandomLocation(Rng* rng, int index) {
  constexpr uint64_t kSizes[] = {0, 1, 2, 3, 7, 8, 9, 16};
  constexpr uint64_t kAlignments[] = {1, 1, 1, 1, 2, 3, 16};
  constexpr Usage kUsages[] = {Usage::kIntermediate, Usage::kSpill,
                               Usage::kIntermediate, Usage::kSpill,
                               Usage::kInput,        Usage::kOutput,
                               Usage::kWeight,       Usage::kConstant};
  Location location;
  location.name = absl::StrCat("l", index);
  location.elem_count = Pick(rng, kSizes);
  location.elem_size = kUnitBytes;
  location.alignment =
      std::max<uint64_t>(1, Pick(rng, kAlignments) / 2 * kUnitBytes);
  location.usage = Pick(rng, kUsages);
  if (rng->OneIn(12)) location.type = MemoryType::kSbuf;
  if (rng->OneIn(6)) location.space = Space::kShared;
  if (rng->OneIn(location.placeable() ? 8 : 2)) {
    location.address = RandomAddress(rng);
    location.placed_by = rng->OneIn(3) && !location.placeable()
                             ? PlacedBy::kNone
                             : PlacedBy::kInput;
  }
  return location;
}

Access RandomAccess(Rng* rng, const Function& function) {
  Access access;
  access.location = static_cast<int32_t>(rng->Below(function.locations.size()));
  const uint64_t units = function.locations[access.location].elem_count;
  if (units > 0 && rng->OneIn(3)) {
    access.offset_bytes = kUnitBytes * rng->Below(units);
    access.extent_bytes =
        kUnitBytes * (1 + rng->Below(units - access.offset_bytes / kUnitBytes));
  }
  return access;
}

Instruction RandomInstruction(Rng* rng, const Function& function) {
  Instruction instruction;
  if (rng->OneIn(8)) instruction.kind = InstructionKind::kCollective;
  for (uint64_t i = rng->Below(3); i > 0; --i) {
    instruction.defs.push_back(RandomAccess(rng, function));
  }
  for (uint64_t i = rng->Below(3); i > 0; --i) {
    instruction.uses.push_back(RandomAccess(rng, function));
  }
  return instruction;
}

Function RandomFunction(Rng* rng, int32_t core, const std::string& name) {
  Function function;
  function.name = name;
  for (int l = static_cast<int>(rng->Between(1, 7)); l > 0; --l) {
    function.locations.push_back(RandomLocation(rng, l));
  }
  const uint64_t blocks = 1 + rng->Below(5);
  for (uint64_t b = 0; b < blocks; ++b) {
    Block& block = function.blocks.emplace_back();
    block.name = absl::StrCat("b", b);
    for (uint64_t i = rng->Below(5); i > 0; --i) {
      block.instructions.push_back(RandomInstruction(rng, function));
      // Of one core only: nothing cuts the program into phases.
      block.instructions.back().name = absl::StrCat("of core ", core);
    }
    for (uint64_t s = rng->Below(3); s > 0; --s) {
      block.successors.push_back(static_cast<int32_t>(rng->Below(blocks)));
    }
  }
  return function;
}

// The last module gets copies of what the first module's functions share.
void AddCopies(Rng* rng, Program* program) {
  for (Function& copy : program->modules[1].functions) {
    for (const Function& function : program->modules[0].functions) {
      if (function.name != copy.name) continue;
      for (const Location& location : function.locations) {
        if (location.space != Space::kShared || rng->OneIn(3)) continue;
        Location& added = copy.locations.emplace_back(location);
        added.name = absl::StrCat("copy of ", location.name);
        added.remote_target = RemoteTarget{0, location.name};
        Block& block = copy.blocks[rng->Below(copy.blocks.size())];
        Instruction& use = block.instructions.emplace_back();
        use.name = "reader of core 1";
        use.uses.push_back(
            {.location = static_cast<int32_t>(copy.locations.size()) - 1});
        if (rng->OneIn(4)) use.kind = InstructionKind::kCollective;
      }
    }
  }
}

Program RandomProgram(Rng* rng) {
  Program program;
  for (int32_t core = 0; core < 2; ++core) {
    Module& module = program.modules.emplace_back();
    module.core = core;
    module.functions.push_back(RandomFunction(rng, core, "main"));
    if (!rng->OneIn(2)) continue;
    module.functions.push_back(RandomFunction(rng, core, "callee"));
    if (!rng->OneIn(2)) continue;
    Function& main = module.functions[0];
    Instruction call = RandomInstruction(rng, main);
    call.kind = InstructionKind::kCall;
    call.callee = 1;
    std::vector<Instruction>& into =
        main.blocks[rng->Below(main.blocks.size())].instructions;
    into.insert(into.begin() + rng->Below(into.size() + 1), call);
  }
  AddCopies(rng, &program);
  return program;
}

ValidateOptions RandomOptions(Rng* rng) {
  constexpr int64_t kCcMib[] = {-1, -1, -1, 0, 500};
  ValidateOptions options;
  options.full = rng->OneIn(2);
  if (rng->OneIn(2)) options.plan.size_rounding = SizeRounding::kNone;
  if (rng->OneIn(2)) options.plan.link_mode = LinkMode::kPost;
  options.plan.allreduce_buffer_mib = Pick(rng, kCcMib);
  options.plan.hbm_per_core_bytes = rng->OneIn(4) ? 32 * 4096 : 1024 * 4096;
  return options;
}

// Every location that somebody has to place: copies follow their owners.
std::vector<Location*> Candidates(Program* program) {
  std::vector<Location*> candidates;
  for (const Space space : {Space::kLocal, Space::kShared}) {
    for (Module& module : program->modules) {
      // Callees come last in their module, and are placed first.
      for (auto f = module.functions.rbegin(); f != module.functions.rend();
           ++f) {
        for (Location& location : f->locations) {
          if (location.candidate(space) && !location.remote_target &&
              location.placed_by == PlacedBy::kNone) {
            candidates.push_back(&location);
          }
        }
      }
    }
  }
  return candidates;
}

void PlaceAt(Location* location, uint64_t address) {
  location->address = address;
  location->placed_by = PlacedBy::kBerth;
}

void SyncCopies(Program* program) {
  for (Function& copy : program->modules[1].functions) {
    for (Location& location : copy.locations) {
      if (!location.remote_target) continue;
      for (const Function& function : program->modules[0].functions) {
        if (function.name != copy.name) continue;
        for (const Location& owner : function.locations) {
          if (owner.name != location.remote_target->name) continue;
          location.address = owner.address;
          location.placed_by = owner.placed_by;
        }
      }
    }
  }
}

// Places each candidate at the lowest address where it breaks nothing new.
void PlaceWell(Program* program, const ValidateOptions& options) {
  const auto broken = [&] {
    Broken found = BruteProgram(*program, options);
    std::erase_if(found, [](const auto& key) {
      const Invariant invariant = std::get<2>(key);
      return invariant == Invariant::kUnplaced || invariant == Invariant::kI4 ||
             invariant == Invariant::kI9;
    });
    return found.size();
  };
  for (Location* location : Candidates(program)) {
    const size_t before = broken();
    for (uint64_t unit = 0; unit < 256; ++unit) {
      PlaceAt(location, unit * kUnitBytes);
      if (broken() <= before) break;
    }
  }
}

void PlaceAnyhow(Rng* rng, Program* program) {
  for (Location* location : Candidates(program)) {
    if (!rng->OneIn(20)) PlaceAt(location, RandomAddress(rng));
  }
}

// Right for a sixth of all, and of those a quarter with one location moved.
Program RandomPlacement(Rng* rng, const ValidateOptions& options) {
  Program program = RandomProgram(rng);
  if (rng->OneIn(6)) {
    ValidateOptions quick = options;
    quick.full = false;
    PlaceWell(&program, quick);
  } else {
    PlaceAnyhow(rng, &program);
  }
  SyncCopies(&program);
  if (rng->OneIn(4)) {
    Function& main = program.modules[1].functions[0];
    Location& location = main.locations[rng->Below(main.locations.size())];
    if (location.placed_by == PlacedBy::kBerth) {
      location.address = RandomAddress(rng);
    }
  }
  return program;
}

TEST(ValidateRandom, ProgramsAgreeWithTheTwin) {
  std::map<Invariant, int> seen;
  int right = 0;
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    Rng rng(seed);
    const ValidateOptions options = RandomOptions(&rng);
    const Program program = RandomPlacement(&rng, options);
    const Report report = ValidateProgram(program, nullptr, options);
    const Broken expected = BruteProgram(program, options);
    ASSERT_EQ(Keys(report), expected) << report.ToString();
    right += report.ok();
    for (const auto& key : expected) ++seen[std::get<2>(key)];
  }
  EXPECT_GT(right, 20);
  for (const Invariant invariant :
       {Invariant::kUnplaced, Invariant::kI1, Invariant::kI2, Invariant::kI3,
        Invariant::kI4, Invariant::kI8, Invariant::kI9, Invariant::kI10,
        Invariant::kI11}) {
    EXPECT_GE(seen[invariant], 5) << Name(invariant);
  }
}

Instance RandomInstance(Rng* rng, bool dram) {
  Instance instance;
  const uint64_t unit = dram ? 256 : 1;
  for (uint64_t b = rng->Below(9); b > 0; --b) {
    Buffer& buffer = instance.buffers.emplace_back();
    buffer.id = absl::StrCat("b", b);
    buffer.lower = rng->Between(-12, 12);
    buffer.upper = buffer.lower + rng->Between(1, 9);
    buffer.size = unit * rng->Below(20);
    buffer.alignment = 1 + rng->Below(rng->OneIn(3) ? 5 : 1);
    if (buffer.upper - buffer.lower >= 4 && rng->OneIn(3)) {
      buffer.gaps = {{buffer.lower + 1, buffer.lower + 2}};
      if (rng->OneIn(2))
        buffer.gaps.push_back({buffer.upper - 2, buffer.upper - 1});
      if (buffer.gaps.size() == 2 &&
          buffer.gaps[0].upper > buffer.gaps[1].lower) {
        buffer.gaps.pop_back();
      }
    }
    if (!rng->OneIn(30)) buffer.offset = unit * rng->Below(60);
  }
  return instance;
}

// The lowest offset that breaks nothing, buffer by buffer.
void PlaceWell(Instance* instance, const ValidateOptions& options) {
  const auto broken = [&] {
    Broken found = BruteInstance(*instance, options);
    found.erase({-1, "", Invariant::kUnplaced});
    return !found.empty();
  };
  for (Buffer& buffer : instance->buffers) buffer.offset.reset();
  for (Buffer& buffer : instance->buffers) {
    buffer.offset = 0;
    while (broken() && *buffer.offset < 400) ++*buffer.offset;
  }
}

const Buffer& Find(const Instance& instance, const std::string& id) {
  return *std::find_if(instance.buffers.begin(), instance.buffers.end(),
                       [&](const Buffer& b) { return b.id == id; });
}

// The two that an I1 names do clash: alone they are I1 as well.
void ExpectTheyClash(const Instance& instance, const Report& report,
                     const ValidateOptions& options) {
  for (const Violation& violation : report.violations) {
    if (violation.invariant != Invariant::kI1) continue;
    const Instance pair = {
        {Find(instance, violation.first), Find(instance, violation.second)}};
    EXPECT_TRUE(BruteInstance(pair, options).contains({-1, "", Invariant::kI1}))
        << report.ToString();
  }
}

TEST(ValidateRandom, InstancesAgreeWithTheTwin) {
  std::map<Invariant, int> seen;
  int right = 0;
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    Rng rng(seed);
    ValidateOptions options;
    options.full = rng.OneIn(2);
    const bool dram = rng.OneIn(2);
    if (dram) options.plan.csv_memory = CsvMemory::kDram;
    if (rng.OneIn(2)) options.plan.size_rounding = SizeRounding::kNone;
    if (rng.OneIn(4)) options.plan.capacity_bytes = dram ? 6000 : 50;
    Instance instance = RandomInstance(&rng, dram);
    if (!dram && rng.OneIn(3)) {
      ValidateOptions quick = options;
      quick.full = false;
      PlaceWell(&instance, quick);
    }
    const Report report = ValidateInstance(instance, nullptr, options);
    const Broken expected = BruteInstance(instance, options);
    ASSERT_EQ(Keys(report), expected) << report.ToString();
    ExpectTheyClash(instance, report, options);
    right += report.ok();
    for (const auto& key : expected) ++seen[std::get<2>(key)];
  }
  EXPECT_GT(right, 100);
  for (const Invariant invariant :
       {Invariant::kUnplaced, Invariant::kI1, Invariant::kI2, Invariant::kI3,
        Invariant::kI8, Invariant::kI9}) {
    EXPECT_GE(seen[invariant], 5) << Name(invariant);
  }
}

}  // namespace
}  // namespace berth
