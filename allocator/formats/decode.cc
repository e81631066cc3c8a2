#include "allocator/formats/decode.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "allocator/formats/field_setter.h"
#include "allocator/formats/location_table.h"
#include "allocator/formats/program.pb.h"
#include "allocator/formats/schema.h"
#include "allocator/formats/wire.h"
#include "allocator/model/check_program.h"
#include "allocator/model/program.h"

namespace berth {
namespace {

using Names = absl::flat_hash_map<absl::string_view, int32_t>;

// An access and where it stands in its block.
struct PendingAccess {
  int32_t instruction = 0;
  int32_t def = -1;  // one of the two is not -1
  int32_t use = -1;
};
// Names are looked up by the batch (location_table.h); this many fit a cache.
constexpr size_t kMostPending = 1024;

class Decoder {
 public:
  Decoder(absl::string_view wire, Program& program)
      : wire_(wire), program_(program) {}

  // True if all was read; else fault() says why not.
  bool Run();
  ProgramFault TakeFault() { return std::move(fault_); }

 private:
  bool Fail(absl::string_view field, absl::string_view reason) {
    place_.field = field;
    const std::string where = PlaceName(program_, place_);
    fault_ = {place_, where.empty() ? std::string(reason)
                                    : absl::StrCat(where, ": ", reason)};
    return false;
  }
  bool UnknownField(const WireField& field) {
    return Fail("", absl::StrCat("unknown field ", field.number));
  }
  // on_field(field) for each field, until it is false.
  template <typename OnField>
  bool ForEachField(absl::string_view message, OnField on_field) {
    WireReader reader(message);
    for (WireField field; reader.Next(field);) {
      if (!on_field(field)) return false;
    }
    if (reader.fault() == nullptr) return true;
    return Fail("", absl::StrCat("malformed protobuf at byte ",
                                 reader.position() - wire_.data(), ": ",
                                 reader.fault()));
  }
  // Stores the field by `visit` (of schema.h).
  template <typename Visit>
  bool Set(const WireField& field, Visit visit) {
    FieldSetter setter(field);
    visit(setter);
    if (!setter.known()) return UnknownField(field);
    if (setter.fault().empty()) return true;
    return Fail(setter.name(),
                absl::StrCat(setter.name(), ": ", setter.fault()));
  }
  // The name (field 1) of a message that is read in full only later.
  bool AddName(absl::string_view message, Names& names, int32_t index) {
    absl::string_view name;
    const bool ok = ForEachField(message, [&](const WireField& field) {
      if (field.IsBytes(1)) name = field.bytes;
      return true;
    });
    names.emplace(name, index);
    return ok;
  }

  bool ReadModule(absl::string_view message);
  bool ReadFunction(absl::string_view message);
  bool ReadLocation(absl::string_view message, Location& location);
  bool ReadRun(absl::string_view message, RunRecord& run);
  bool ReadBlock(absl::string_view message, Block& block);
  bool ReadInstruction(absl::string_view message, Instruction& instruction);
  bool ReadAccess(absl::string_view message, Access& access);
  bool ResolvePending(Block& block);

  const absl::string_view wire_;
  Program& program_;
  ProgramPlace place_;
  ProgramFault fault_;
  // Names of the module and function under way.
  Names functions_;
  Names blocks_;
  std::optional<LocationTable> locations_;
  // Accesses of the block under way whose names are still to be looked up.
  std::vector<PendingAccess> pending_;
  std::vector<absl::string_view> pending_names_;
  std::vector<int32_t> pending_locations_;
};

// The number of fields `number`, up to the first fault.
size_t CountFields(absl::string_view message, uint32_t number) {
  size_t count = 0;
  WireReader reader(message);
  for (WireField field; reader.Next(field);) count += field.IsBytes(number);
  return count;
}

// Appends to `values` and has `read` fill it, with `index` as its place.
template <typename T, typename Read>
bool ReadNext(std::vector<T>& values, int32_t& index, Read read) {
  index = static_cast<int32_t>(values.size());
  values.emplace_back();
  const bool ok = read(values.back());
  if (ok) index = -1;
  return ok;
}

bool Decoder::Run() {
  return ForEachField(wire_, [&](const WireField& field) {
    if (field.IsBytes(1)) {
      program_.comment.assign(field.bytes.data(), field.bytes.size());
      return true;
    }
    if (!field.IsBytes(2)) return UnknownField(field);
    return ReadNext(program_.modules, place_.module,
                    [&](Module&) { return ReadModule(field.bytes); });
  });
}

bool Decoder::ReadModule(absl::string_view message) {
  Module& module = program_.modules.back();
  functions_.clear();
  int32_t count = 0;
  // First the names: a CALL may name a function that comes later.
  return ForEachField(message,
                      [&](const WireField& field) {
                        if (field.IsBytes(2)) {
                          return AddName(field.bytes, functions_, count++);
                        }
                        return Set(field, [&](FieldSetter& setter) {
                          setter.Int32(1, "core", module.core, 0);
                        });
                      }) &&
         ForEachField(message, [&](const WireField& field) {
           if (!field.IsBytes(2)) return true;
           return ReadNext(module.functions, place_.function, [&](Function&) {
             return ReadFunction(field.bytes);
           });
         });
}

bool Decoder::ReadFunction(absl::string_view message) {
  Function& function = program_.modules.back().functions.back();
  blocks_.clear();
  int32_t count = 0;
  // Reserved for no more than valid ones that fit: a name, a usage, two heads.
  constexpr size_t kLeastLocationBytes = 7;
  function.locations.reserve(
      std::min(CountFields(message, 2), message.size() / kLeastLocationBytes));
  const bool ok = ForEachField(message, [&](const WireField& field) {
    if (field.IsBytes(2)) {
      return ReadNext(function.locations, place_.location, [&](Location& l) {
        return ReadLocation(field.bytes, l);
      });
    }
    if (field.IsBytes(3)) return AddName(field.bytes, blocks_, count++);
    if (field.IsBytes(4)) {
      return ReadNext(function.runs, place_.run,
                      [&](RunRecord& r) { return ReadRun(field.bytes, r); });
    }
    return Set(field, [&](FieldSetter& setter) {
      setter.Bytes(1, "name", function.name);
    });
  });
  if (!ok) return false;
  locations_.emplace(function.locations);
  return ForEachField(message, [&](const WireField& field) {
    if (!field.IsBytes(3)) return true;
    return ReadNext(function.blocks, place_.block,
                    [&](Block& b) { return ReadBlock(field.bytes, b); });
  });
}

bool Decoder::ReadLocation(absl::string_view message, Location& location) {
  constexpr auto kNotGiven = static_cast<Usage>(proto::USAGE_UNSPECIFIED);
  location.usage = kNotGiven;
  const bool ok = ForEachField(message, [&](const WireField& field) {
    return Set(field, [&](FieldSetter& s) { VisitLocation(s, location); });
  });
  if (ok && location.usage == kNotGiven) {
    return Fail("usage", "the usage is not given");
  }
  return ok;
}

bool Decoder::ReadRun(absl::string_view message, RunRecord& run) {
  // Planner 0 stands for an absent field, which the model's default is not.
  run.planner = Planner::kReference;
  return ForEachField(message, [&](const WireField& field) {
    return Set(field, [&](FieldSetter& setter) { VisitRun(setter, run); });
  });
}

bool Decoder::ReadBlock(absl::string_view message, Block& block) {
  block.instructions.reserve(CountFields(message, 3));
  const bool ok = ForEachField(message, [&](const WireField& field) {
    if (field.IsBytes(2)) {
      const auto it = blocks_.find(field.bytes);
      if (it == blocks_.end()) {
        place_.successor = static_cast<int32_t>(block.successors.size());
        return Fail("", absl::StrCat("successor ", QuotedName(field.bytes),
                                     " is no block of the function"));
      }
      block.successors.push_back(it->second);
      return true;
    }
    if (field.IsBytes(3)) {
      const bool ok = ReadNext(
          block.instructions, place_.instruction,
          [&](Instruction& i) { return ReadInstruction(field.bytes, i); });
      return ok && (pending_.size() < kMostPending || ResolvePending(block));
    }
    return Set(field, [&](FieldSetter& setter) {
      setter.Bytes(1, "name", block.name);
    });
  });
  return ok && ResolvePending(block);
}

bool Decoder::ResolvePending(Block& block) {
  pending_locations_.resize(pending_.size());
  locations_->Find(pending_names_, absl::MakeSpan(pending_locations_));
  for (size_t i = 0; i < pending_.size(); ++i) {
    const PendingAccess& access = pending_[i];
    if (pending_locations_[i] < 0) {
      place_.instruction = access.instruction;
      place_.def = access.def;
      place_.use = access.use;
      return Fail("location",
                  absl::StrCat("location ", QuotedName(pending_names_[i]),
                               " is not of the function"));
    }
    Instruction& instruction = block.instructions[access.instruction];
    (access.def >= 0 ? instruction.defs[access.def]
                     : instruction.uses[access.use])
        .location = pending_locations_[i];
  }
  pending_.clear();
  pending_names_.clear();
  return true;
}

bool Decoder::ReadInstruction(absl::string_view message,
                              Instruction& instruction) {
  return ForEachField(message, [&](const WireField& field) {
    if (field.IsBytes(3)) {
      return ReadNext(instruction.defs, place_.def,
                      [&](Access& a) { return ReadAccess(field.bytes, a); });
    }
    if (field.IsBytes(4)) {
      return ReadNext(instruction.uses, place_.use,
                      [&](Access& a) { return ReadAccess(field.bytes, a); });
    }
    if (field.IsBytes(5) && !field.bytes.empty()) {
      const auto it = functions_.find(field.bytes);
      if (it == functions_.end()) {
        return Fail("callee", absl::StrCat("callee ", QuotedName(field.bytes),
                                           " is no function of the module"));
      }
      instruction.callee = it->second;
      return true;
    }
    return Set(field, [&](FieldSetter& setter) {
      setter.Enum(1, "kind", instruction.kind, proto::Kind_descriptor);
      setter.Bytes(2, "name", instruction.name);
      std::string no_callee;
      setter.Bytes(5, "callee", no_callee);
    });
  });
}

bool Decoder::ReadAccess(absl::string_view message, Access& access) {
  absl::string_view name;
  const bool ok = ForEachField(message, [&](const WireField& field) {
    if (field.IsBytes(1)) {
      name = field.bytes;
      return true;
    }
    return Set(field, [&](FieldSetter& setter) {
      setter.Uint64(2, "offset", access.offset_bytes, 0);
      setter.Uint64(3, "extent", access.extent_bytes, 0);
    });
  });
  if (!ok) return false;
  pending_.push_back({place_.instruction, place_.def, place_.use});
  pending_names_.push_back(name);
  return true;
}

}  // namespace

std::optional<ProgramFault> DecodeProgram(absl::string_view wire,
                                          Program& program) {
  program = Program();
  Decoder decoder(wire, program);
  if (!decoder.Run()) return decoder.TakeFault();
  return FindProgramFault(program);
}

}  // namespace berth
