// ReadProgramText and WriteProgramText of program_io.h.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/formats/decode.h"
#include "allocator/formats/field_path.h"
#include "allocator/formats/program.pb.h"
#include "allocator/formats/program_io.h"
#include "allocator/formats/schema.h"
#include "allocator/formats/text_place.h"
#include "allocator/model/check_program.h"
#include "allocator/model/program.h"
#include "google/protobuf/arena.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/text_format.h"

namespace berth {
namespace {

using google::protobuf::Arena;
using google::protobuf::TextFormat;

constexpr size_t kMostBytes = std::numeric_limits<int32_t>::max();
// The schema is six messages deep; text that nests deeper is not of it.
constexpr int kMostNesting = 16;

// Keeps the first error; protobuf counts lines and columns from 0.
class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, int column, const std::string& message) override {
    if (!text_.empty()) return;
    text_ = absl::StrCat(line + 1, ":", column + 1, ": ", message);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// False: `error` has "line:column: why".
bool ParseText(absl::string_view content, proto::Program* message,
               std::string& error) {
  FirstError errors;
  TextFormat::Parser parser;
  parser.RecordErrorsTo(&errors);
  parser.SetRecursionLimit(kMostNesting);
  google::protobuf::io::ArrayInputStream stream(
      content.data(), static_cast<int>(content.size()));
  const bool ok = parser.Parse(&stream, message) && errors.text().empty();
  if (!ok) error = errors.text().empty() ? "1:1: no program" : errors.text();
  return ok;
}

// The text of a program as the model's names would have it.
class TextFields {
 public:
  explicit TextFields(std::string& out) : out_(out) {}

  void Bytes(uint32_t, absl::string_view name, absl::string_view value) {
    if (value.empty()) return;
    absl::StrAppend(&out_, " ", name, ": \"", absl::Utf8SafeCEscape(value),
                    "\"");
  }
  void Bool(uint32_t, absl::string_view name, bool value) {
    if (value) absl::StrAppend(&out_, " ", name, ": true");
  }
  void Int32(uint32_t, absl::string_view name, int32_t value, int32_t absent) {
    if (value != absent) absl::StrAppend(&out_, " ", name, ": ", value);
  }
  void Uint32(uint32_t, absl::string_view name, uint32_t value,
              uint32_t absent) {
    if (value != absent) absl::StrAppend(&out_, " ", name, ": ", value);
  }
  void Uint64(uint32_t, absl::string_view name, uint64_t value,
              uint64_t absent) {
    if (value != absent) absl::StrAppend(&out_, " ", name, ": ", value);
  }
  void OptionalUint32(uint32_t, absl::string_view name,
                      const std::optional<uint32_t>& value) {
    if (value) absl::StrAppend(&out_, " ", name, ": ", *value);
  }
  void OptionalUint64(uint32_t, absl::string_view name,
                      const std::optional<uint64_t>& value) {
    if (value) absl::StrAppend(&out_, " ", name, ": ", *value);
  }
  template <typename E>
  void Enum(uint32_t, absl::string_view name, E value,
            const google::protobuf::EnumDescriptor* (*descriptor)()) {
    if (value == E{}) return;
    const int number = static_cast<int>(value);
    absl::StrAppend(&out_, " ", name, ": ",
                    descriptor()->FindValueByNumber(number)->name());
  }
  void Remote(uint32_t, absl::string_view name,
              const std::optional<RemoteTarget>& value) {
    if (!value) return;
    absl::StrAppend(&out_, " ", name, " {");
    VisitRemoteTarget(*this, *value);
    out_ += " }";
  }

 private:
  std::string& out_;
};

class TextWriter {
 public:
  explicit TextWriter(const Program& program) : program_(program) {}

  std::string Write() {
    out_ =
        "# proto-file: allocator/formats/program.proto\n"
        "# proto-message: berth.proto.Program\n";
    if (!program_.comment.empty()) {
      absl::StrAppend(&out_, "comment: \"",
                      absl::Utf8SafeCEscape(program_.comment), "\"\n");
    }
    for (const Module& module : program_.modules) {
      out_ += "modules {\n";
      if (module.core != 0)
        absl::StrAppend(&out_, "  core: ", module.core, "\n");
      for (const Function& function : module.functions) {
        WriteFunction(module, function);
      }
      out_ += "}\n";
    }
    return std::move(out_);
  }

 private:
  // A message whose fields `body` appends, on one line.
  template <typename Body>
  void Line(absl::string_view indent_and_name, Body body) {
    absl::StrAppend(&out_, indent_and_name, " {");
    body();
    out_ += " }\n";
  }

  void WriteFunction(const Module& module, const Function& function) {
    out_ += "  functions {\n   ";
    fields_.Bytes(1, "name", function.name);
    out_ += "\n";
    for (const Location& location : function.locations) {
      Line("    locations", [&] { VisitLocation(fields_, location); });
    }
    for (const Block& block : function.blocks) {
      WriteBlock(module, function, block);
    }
    for (const RunRecord& run : function.runs) {
      Line("    runs", [&] { VisitRun(fields_, run); });
    }
    out_ += "  }\n";
  }

  void WriteBlock(const Module& module, const Function& function,
                  const Block& block) {
    out_ += "    blocks {\n     ";
    fields_.Bytes(1, "name", block.name);
    out_ += "\n";
    for (const int32_t successor : block.successors) {
      out_ += "     ";
      fields_.Bytes(2, "successors", function.blocks[successor].name);
      out_ += "\n";
    }
    for (const Instruction& instruction : block.instructions) {
      WriteInstruction(module, function, instruction);
    }
    out_ += "    }\n";
  }

  void WriteInstruction(const Module& module, const Function& function,
                        const Instruction& instruction) {
    out_ += "      instructions {";
    fields_.Enum(1, "kind", instruction.kind, proto::Kind_descriptor);
    fields_.Bytes(2, "name", instruction.name);
    if (instruction.callee >= 0) {
      fields_.Bytes(5, "callee", module.functions[instruction.callee].name);
    }
    if (instruction.defs.empty() && instruction.uses.empty()) {
      out_ += " }\n";
      return;
    }
    out_ += "\n";
    WriteAccesses("        defs", function, instruction.defs);
    WriteAccesses("        uses", function, instruction.uses);
    out_ += "      }\n";
  }

  void WriteAccesses(absl::string_view name, const Function& function,
                     const std::vector<Access>& accesses) {
    for (const Access& access : accesses) {
      Line(name, [&] {
        fields_.Bytes(1, "location", function.locations[access.location].name);
        fields_.Uint64(2, "offset", access.offset_bytes, 0);
        fields_.Uint64(3, "extent", access.extent_bytes, 0);
      });
    }
  }

  const Program& program_;
  std::string out_;
  TextFields fields_{out_};
};

}  // namespace

absl::StatusOr<Program> ReadProgramText(absl::string_view content,
                                        absl::string_view file) {
  const auto error = [&](absl::string_view where, absl::string_view what) {
    return absl::InvalidArgumentError(absl::StrCat(file, ":", where, what));
  };
  if (content.size() > kMostBytes) {
    return error(absl::StrCat(" ", content.size(), " bytes"),
                 " pass the 2 GiB of a protobuf message");
  }
  std::string wire;
  {
    Arena arena;
    auto* const message = Arena::CreateMessage<proto::Program>(&arena);
    std::string why;
    if (!ParseText(content, message, why)) return error(why, "");
    if (message->ByteSizeLong() > kMostBytes) {
      return error(" ", "the program passes the 2 GiB of a protobuf message");
    }
    message->SerializeToString(&wire);
  }
  Program program;
  const auto fault = DecodeProgram(wire, program);
  if (!fault) return program;
  const TextPlace at = FindTextPlace(content, FieldPath(fault->place));
  return error(absl::StrCat(at.line + 1, ":", at.column + 1),
               absl::StrCat(": ", fault->message));
}

std::string WriteProgramText(const Program& program) {
  return TextWriter(program).Write();
}

}  // namespace berth
