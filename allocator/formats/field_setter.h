// The reading visitor of schema.h.
#ifndef BERTH_ALLOCATOR_FORMATS_FIELD_SETTER_H_
#define BERTH_ALLOCATOR_FORMATS_FIELD_SETTER_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/int_math.h"
#include "allocator/formats/schema.h"
#include "allocator/formats/wire.h"
#include "allocator/model/program.h"
#include "google/protobuf/descriptor.h"

namespace berth {

// Stores one wire field in the member that schema.h names for its number.
class FieldSetter {
 public:
  explicit FieldSetter(const WireField& field) : field_(field) {}

  // The schema knows the field; its name.
  bool known() const { return known_; }
  absl::string_view name() const { return name_; }
  // Why the value was not stored, or empty.
  const std::string& fault() const { return fault_; }

  void Bytes(uint32_t number, absl::string_view name, std::string& value) {
    if (!Matches(number, name, WireType::kBytes)) return;
    value.assign(field_.bytes.data(), field_.bytes.size());
  }
  void Bool(uint32_t number, absl::string_view name, bool& value) {
    if (Matches(number, name, WireType::kVarint)) value = field_.varint != 0;
  }
  void Uint64(uint32_t number, absl::string_view name, uint64_t& value,
              uint64_t) {
    if (Matches(number, name, WireType::kVarint)) value = field_.varint;
  }
  void Uint32(uint32_t number, absl::string_view name, uint32_t& value,
              uint32_t) {
    if (!Matches(number, name, WireType::kVarint)) return;
    if (field_.varint > std::numeric_limits<uint32_t>::max()) {
      fault_ = absl::StrCat("value ", field_.varint, " passes 32 bits");
      return;
    }
    value = static_cast<uint32_t>(field_.varint);
  }
  // All int32 of the format are cores, so none may be negative.
  void Int32(uint32_t number, absl::string_view name, int32_t& value, int32_t) {
    if (!Matches(number, name, WireType::kVarint)) return;
    if (field_.varint >= static_cast<uint64_t>(kMaxCount)) {
      fault_ = absl::StrCat("value ", static_cast<int64_t>(field_.varint),
                            " is no core");
      return;
    }
    value = static_cast<int32_t>(field_.varint);
  }
  void OptionalUint64(uint32_t number, absl::string_view name,
                      std::optional<uint64_t>& value) {
    if (Matches(number, name, WireType::kVarint)) value = field_.varint;
  }
  void OptionalUint32(uint32_t number, absl::string_view name,
                      std::optional<uint32_t>& value) {
    uint32_t given = 0;
    Uint32(number, name, given, 0);
    if (known_ && name_ == name) value = given;
  }
  template <typename E>
  void Enum(uint32_t number, absl::string_view name, E& value,
            const google::protobuf::EnumDescriptor* (*descriptor)()) {
    if (!Matches(number, name, WireType::kVarint)) return;
    // An int32 on the wire is sign-extended to 64 bits.
    const auto given = static_cast<int64_t>(field_.varint);
    const int narrow = static_cast<int>(given);
    if (given != narrow || descriptor()->FindValueByNumber(narrow) == nullptr) {
      fault_ = absl::StrCat("value ", given, " is unknown");
      return;
    }
    value = static_cast<E>(given);
  }
  void Remote(uint32_t number, absl::string_view name,
              std::optional<RemoteTarget>& value);

 private:
  bool Matches(uint32_t number, absl::string_view name, WireType type) {
    if (field_.number != number || field_.type != type) return false;
    known_ = true;
    name_ = name;
    return true;
  }

  const WireField& field_;
  bool known_ = false;
  absl::string_view name_;
  std::string fault_;
};

inline void FieldSetter::Remote(uint32_t number, absl::string_view name,
                                std::optional<RemoteTarget>& value) {
  if (!Matches(number, name, WireType::kBytes)) return;
  if (!value) value.emplace();
  WireReader reader(field_.bytes);
  for (WireField inner; reader.Next(inner);) {
    FieldSetter setter(inner);
    VisitRemoteTarget(setter, *value);
    if (!setter.known()) {
      fault_ = absl::StrCat("unknown field ", inner.number);
    } else if (!setter.fault().empty()) {
      fault_ = absl::StrCat(setter.name(), ": ", setter.fault());
    }
    if (!fault_.empty()) return;
  }
  if (reader.fault() != nullptr) fault_ = reader.fault();
}

}  // namespace berth

#endif  // BERTH_ALLOCATOR_FORMATS_FIELD_SETTER_H_
