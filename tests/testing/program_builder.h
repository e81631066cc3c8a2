// Programs written in tests as data.
//
//   const Program program = ProgramBuilder()
//       .In("x", 4096)                     // locations, sizes in bytes
//       .Loc("t", 100)
//       .Block("entry", {"loop"})          // successors by name
//       .Op({"t"}, {"x"})                  // defs, uses
//       .Block("loop", {"loop", "exit"})
//       .Op({{"t", 0, 50}}, {})            // bytes [0, 50) of t only
//       .Block("exit")
//       .Op({}, {"t"})
//       .Build();
//
// Core 0 and function "f" stand where Core() and Fn() are not called; a block
// "entry" where an instruction comes first. What comes next goes into the last
// core, function and block named. Names of successors, locations and callees
// may come before what they name; Build() resolves them, and a name that does
// not exist stops the test. Nothing else is checked: a test of CheckProgram()
// builds broken programs with it.
//
// Thread-safety: none. Cost: O(size of the program).
#ifndef BERTH_TESTS_TESTING_PROGRAM_BUILDER_H_
#define BERTH_TESTS_TESTING_PROGRAM_BUILDER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "allocator/model/program.h"

namespace berth::testing {

// "x": all of x. {"x", 16, 32}: its bytes [16, 48).
struct AccessSpec {
  // Implicit, so that {"a", "b"} is a list of accesses.
  AccessSpec(const char* location) : location(location) {}         // NOLINT
  AccessSpec(const std::string& location) : location(location) {}  // NOLINT
  AccessSpec(const std::string& location, uint64_t offset_bytes,
             uint64_t extent_bytes)
      : location(location),
        offset_bytes(offset_bytes),
        extent_bytes(extent_bytes) {}

  std::string location;
  uint64_t offset_bytes = 0;
  uint64_t extent_bytes = 0;
};
using AccessSpecs = std::vector<AccessSpec>;

// What Loc() may be told besides name and size; in this order.
struct LocationSpec {
  MemoryType type = MemoryType::kDram;
  Space space = Space::kLocal;
  Usage usage = Usage::kIntermediate;
  uint64_t alignment = 1;
  std::optional<uint64_t> address = std::nullopt;
  PlacedBy placed_by = PlacedBy::kNone;
  std::optional<RemoteTarget> remote_target = std::nullopt;
  bool nki = false;
};

class ProgramBuilder {
 public:
  ProgramBuilder& Comment(absl::string_view comment);
  // Later functions belong to `core`; a core may be returned to.
  ProgramBuilder& Core(int32_t core);
  ProgramBuilder& Fn(absl::string_view name);

  // A location of `bytes` elements of one byte.
  ProgramBuilder& Loc(absl::string_view name, uint64_t bytes,
                      const LocationSpec& spec = {});
  ProgramBuilder& In(absl::string_view name, uint64_t bytes);
  ProgramBuilder& Out(absl::string_view name, uint64_t bytes);
  ProgramBuilder& Weight(absl::string_view name, uint64_t bytes);
  ProgramBuilder& Constant(absl::string_view name, uint64_t bytes);
  ProgramBuilder& Spill(absl::string_view name, uint64_t bytes);
  // INTERMEDIATE in SHARED space; with `owner_core`, a copy whose remote target
  // is the location `owner_name` (the same name if empty) there.
  ProgramBuilder& Shared(absl::string_view name, uint64_t bytes);
  ProgramBuilder& SharedCopy(absl::string_view name, uint64_t bytes,
                             int32_t owner_core,
                             absl::string_view owner_name = "");
  // Pinned: an address with placed_by INPUT.
  ProgramBuilder& Pin(absl::string_view name, uint64_t bytes, uint64_t address,
                      Usage usage = Usage::kIntermediate);

  ProgramBuilder& Block(absl::string_view name,
                        const std::vector<std::string>& successors = {});

  // Instructions. Without a name they are labelled by their flat index.
  ProgramBuilder& Op(const AccessSpecs& defs, const AccessSpecs& uses);
  ProgramBuilder& Op(absl::string_view name, const AccessSpecs& defs,
                     const AccessSpecs& uses);
  ProgramBuilder& Copy(const AccessSpec& destination, const AccessSpec& source);
  ProgramBuilder& Collective(absl::string_view name, const AccessSpecs& defs,
                             const AccessSpecs& uses);
  ProgramBuilder& Barrier(absl::string_view name);
  ProgramBuilder& Call(absl::string_view callee, const AccessSpecs& defs = {},
                       const AccessSpecs& uses = {});

  // The program. The builder may go on and build again.
  Program Build() const;

 private:
  // Names stand beside the half-built program until Build() resolves them.
  struct InstructionSpec {
    InstructionKind kind = InstructionKind::kCompute;
    std::string name;
    AccessSpecs defs;
    AccessSpecs uses;
    std::string callee;
  };
  struct BlockSpec {
    std::string name;
    std::vector<std::string> successors;
    std::vector<InstructionSpec> instructions;
  };
  struct FunctionSpec {
    std::string name;
    std::vector<Location> locations;
    std::vector<BlockSpec> blocks;
  };
  struct ModuleSpec {
    int32_t core = 0;
    std::vector<FunctionSpec> functions;
  };

  ModuleSpec& module();
  FunctionSpec& function();
  ProgramBuilder& Append(InstructionSpec instruction);
  static Function Resolve(const ModuleSpec& module, const FunctionSpec& from);

  std::string comment_;
  std::vector<ModuleSpec> modules_;
  size_t current_module_ = 0;
};

// Index of the location `name`; stops the test if there is none.
int32_t LocationIndex(const Function& function, absl::string_view name);

// The location `name` of function `function_name` (the first function if empty)
// on `core`; stops the test if there is none.
Location& FindLocation(Program& program, absl::string_view name,
                       int32_t core = 0, absl::string_view function_name = "");
const Location& FindLocation(const Program& program, absl::string_view name,
                             int32_t core = 0,
                             absl::string_view function_name = "");

}  // namespace berth::testing

#endif  // BERTH_TESTS_TESTING_PROGRAM_BUILDER_H_
