// Builds one Function by indices, instruction after instruction, as the
// generators emit it. Internal to allocator/gen.
#ifndef BERTH_ALLOCATOR_GEN_FUNCTION_BUILDER_H_
#define BERTH_ALLOCATOR_GEN_FUNCTION_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "allocator/model/program.h"

namespace berth::gen {

class FunctionBuilder {
 public:
  explicit FunctionBuilder(absl::string_view name);

  // Room for so many locations, and instructions of the current block.
  void ReserveLocations(size_t count);
  void ReserveInstructions(size_t count);

  // Adds a DRAM location, LOCAL, and returns its index.
  int32_t AddLocation(absl::string_view name, Usage usage, uint64_t elem_count,
                      uint32_t elem_size);
  // Adds an SBUF tile of so many bytes: kept in the program, never placed.
  int32_t AddTile(absl::string_view name, uint64_t bytes);

  // Adds a block without successors; it becomes the current one.
  int32_t AddBlock(absl::string_view name);
  void AddEdge(int32_t from, int32_t to);
  int32_t current_block() const;
  // Number of DRAM locations so far.
  int64_t num_dram() const { return num_dram_; }

  // Append to the current block.
  Instruction& Emit(InstructionKind kind, absl::string_view name);
  // The same with accesses, which cover whole locations.
  void Compute(absl::string_view name, std::initializer_list<int32_t> defs,
               std::initializer_list<int32_t> uses);
  // In place: uses and defs `location`.
  void AllReduce(absl::string_view name, int32_t location);
  void Call(absl::string_view name, int32_t callee,
            std::initializer_list<int32_t> defs,
            std::initializer_list<int32_t> uses);
  // Copies the first min(bytes of both) bytes.
  void Copy(absl::string_view name, int32_t to, int32_t from);
  // Defines bytes [offset, offset + extent) of `to`.
  void WriteTile(absl::string_view name, int32_t to, uint64_t offset,
                 uint64_t extent, std::initializer_list<int32_t> uses);

  const Function& function() const { return function_; }
  Function Build() &&;

 private:
  Function function_;
  int64_t num_dram_ = 0;
};

// A Program of one module, core 0, with these functions.
Program OneCore(std::string comment, std::vector<Function> functions);

}  // namespace berth::gen

#endif  // BERTH_ALLOCATOR_GEN_FUNCTION_BUILDER_H_
