#include "tests/import/imported_text.h"

#include <fstream>
#include <sstream>
#include <string>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "allocator/model/instance.h"
#include "gtest/gtest.h"
#include "tools/import/imported.h"

namespace berth::import {

std::string Data(const std::string& name) {
  std::ifstream file("tests/import/testdata/" + name, std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

std::string Text(const absl::StatusOr<Imported>& imported) {
  if (!imported.ok()) return std::string(imported.status().message());
  const Instance& instance = std::get<Instance>(imported->content);
  return absl::StrJoin(instance.buffers, " ",
                       [](std::string* out, const Buffer& buffer) {
                         absl::StrAppend(out, buffer.id, ",", buffer.lower, ",",
                                         buffer.upper, ",", buffer.size);
                         if (buffer.offset)
                           absl::StrAppend(out, "@", *buffer.offset);
                       });
}

std::string Notes(const absl::StatusOr<Imported>& imported) {
  return imported.ok() ? absl::StrJoin(imported->notes, "\n") : "";
}

}  // namespace berth::import
