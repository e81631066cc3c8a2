// ReadProgramBinary and WriteProgramBinary of program_io.h.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/formats/decode.h"
#include "allocator/formats/field_path.h"
#include "allocator/formats/program_io.h"
#include "allocator/formats/schema.h"
#include "allocator/formats/wire.h"
#include "allocator/model/check_program.h"
#include "allocator/model/program.h"
#include "google/protobuf/descriptor.h"

namespace berth {
namespace {

constexpr size_t kMostBytes = std::numeric_limits<int32_t>::max();

// The writing visitor of schema.h.
class BinaryFields {
 public:
  explicit BinaryFields(std::string& out) : out_(out) {}

  void Bytes(uint32_t number, absl::string_view, absl::string_view value) {
    if (!value.empty()) AppendBytesField(number, value, out_);
  }
  void Bool(uint32_t number, absl::string_view, bool value) {
    if (value) AppendVarintField(number, 1, out_);
  }
  void Int32(uint32_t number, absl::string_view, int32_t value,
             int32_t absent) {
    if (value == absent) return;
    AppendVarintField(number, static_cast<uint64_t>(int64_t{value}), out_);
  }
  void Uint32(uint32_t number, absl::string_view, uint32_t value,
              uint32_t absent) {
    if (value != absent) AppendVarintField(number, value, out_);
  }
  void Uint64(uint32_t number, absl::string_view, uint64_t value,
              uint64_t absent) {
    if (value != absent) AppendVarintField(number, value, out_);
  }
  void OptionalUint32(uint32_t number, absl::string_view,
                      const std::optional<uint32_t>& value) {
    if (value) AppendVarintField(number, *value, out_);
  }
  void OptionalUint64(uint32_t number, absl::string_view,
                      const std::optional<uint64_t>& value) {
    if (value) AppendVarintField(number, *value, out_);
  }
  template <typename E>
  void Enum(uint32_t number, absl::string_view, E value,
            const google::protobuf::EnumDescriptor* (*)()) {
    if (value != E{}) {
      AppendVarintField(number, static_cast<uint64_t>(value), out_);
    }
  }
  void Remote(uint32_t number, absl::string_view,
              const std::optional<RemoteTarget>& value) {
    if (!value) return;
    AppendMessageField(number, out_, [&] { VisitRemoteTarget(*this, *value); });
  }

 private:
  std::string& out_;
};

class BinaryWriter {
 public:
  explicit BinaryWriter(const Program& program) : program_(program) {}

  absl::StatusOr<std::string> Write() {
    fields_.Bytes(1, "comment", program_.comment);
    for (const Module& module : program_.modules) {
      AppendMessageField(2, out_, [&] { WriteModule(module); });
    }
    if (!TooLong()) return std::move(out_);
    return absl::ResourceExhaustedError(
        "the program passes the 2 GiB of a protobuf message");
  }

 private:
  // What follows a message that is too long is not worth writing.
  bool TooLong() const { return out_.size() > kMostBytes; }

  void WriteModule(const Module& module) {
    fields_.Int32(1, "core", module.core, 0);
    for (const Function& function : module.functions) {
      if (TooLong()) return;
      AppendMessageField(2, out_, [&] { WriteFunction(module, function); });
    }
  }

  void WriteFunction(const Module& module, const Function& function) {
    fields_.Bytes(1, "name", function.name);
    for (const Location& location : function.locations) {
      if (TooLong()) return;
      AppendMessageField(2, out_, [&] { VisitLocation(fields_, location); });
    }
    for (const Block& block : function.blocks) {
      if (TooLong()) return;
      AppendMessageField(3, out_, [&] { WriteBlock(module, function, block); });
    }
    for (const RunRecord& run : function.runs) {
      AppendMessageField(4, out_, [&] { VisitRun(fields_, run); });
    }
  }

  void WriteBlock(const Module& module, const Function& function,
                  const Block& block) {
    fields_.Bytes(1, "name", block.name);
    for (const int32_t successor : block.successors) {
      AppendBytesField(2, function.blocks[successor].name, out_);
    }
    for (const Instruction& instruction : block.instructions) {
      if (TooLong()) return;
      AppendMessageField(
          3, out_, [&] { WriteInstruction(module, function, instruction); });
    }
  }

  void WriteInstruction(const Module& module, const Function& function,
                        const Instruction& instruction) {
    fields_.Enum(1, "kind", instruction.kind, proto::Kind_descriptor);
    fields_.Bytes(2, "name", instruction.name);
    WriteAccesses(3, function, instruction.defs);
    WriteAccesses(4, function, instruction.uses);
    if (instruction.callee >= 0) {
      AppendBytesField(5, module.functions[instruction.callee].name, out_);
    }
  }

  void WriteAccesses(uint32_t number, const Function& function,
                     const std::vector<Access>& accesses) {
    for (const Access& access : accesses) {
      AppendMessageField(number, out_, [&] {
        fields_.Bytes(1, "location", function.locations[access.location].name);
        fields_.Uint64(2, "offset", access.offset_bytes, 0);
        fields_.Uint64(3, "extent", access.extent_bytes, 0);
      });
    }
  }

  const Program& program_;
  std::string out_;
  BinaryFields fields_{out_};
};

}  // namespace

absl::StatusOr<Program> ReadProgramBinary(absl::string_view content,
                                          absl::string_view file) {
  if (content.size() > kMostBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat(file, ": ", content.size(),
                     " bytes pass the 2 GiB of a protobuf message"));
  }
  Program program;
  const auto fault = DecodeProgram(content, program);
  if (!fault) return program;
  const std::string path = FieldPathText(fault->place);
  return absl::InvalidArgumentError(
      absl::StrCat(file, ": ", path, path.empty() ? "" : ": ", fault->message));
}

absl::StatusOr<std::string> WriteProgramBinary(const Program& program) {
  return BinaryWriter(program).Write();
}

}  // namespace berth
