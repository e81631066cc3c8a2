#include "allocator/model/first_duplicate.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/rng.h"
#include "gtest/gtest.h"

namespace berth {
namespace {

std::optional<Duplicate> Find(const std::vector<std::string>& names) {
  return FirstDuplicate(static_cast<int32_t>(names.size()),
                        [&](int32_t i) { return absl::string_view(names[i]); });
}

// One pass with a map.
std::optional<Duplicate> FindPlainly(const std::vector<std::string>& names) {
  std::unordered_map<std::string, int32_t> first;
  for (int32_t i = 0; i < static_cast<int32_t>(names.size()); ++i) {
    const auto [it, fresh] = first.emplace(names[i], i);
    if (!fresh) return Duplicate{it->second, i};
  }
  return std::nullopt;
}

TEST(FirstDuplicate, Small) {
  EXPECT_EQ(Find({}), std::nullopt);
  EXPECT_EQ(Find({"a"}), std::nullopt);
  EXPECT_EQ(Find({"a", "b"}), std::nullopt);
  EXPECT_EQ(Find({"", ""}), (Duplicate{0, 1}));
  EXPECT_EQ(Find({"a", "b", "a", "b", "a"}), (Duplicate{0, 2}));
  EXPECT_EQ(Find({"a", "b", "b", "a"}), (Duplicate{1, 2}));
}

TEST(FirstDuplicate, AgreesWithAMap) {
  constexpr uint64_t kSeed = 5;
  for (uint64_t seed = kSeed; seed < kSeed + 60; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const size_t count = rng.Below(seed % 10 == 0 ? 20000 : 50);
    const uint64_t kinds = 1 + rng.Below(count * count + 1);
    std::vector<std::string> names;
    for (size_t i = 0; i < count; ++i) {
      names.push_back(absl::StrCat("n", rng.Below(kinds)));
    }
    EXPECT_EQ(Find(names), FindPlainly(names));
  }
}

TEST(FirstDuplicate, AllTheSame) {
  EXPECT_EQ(Find(std::vector<std::string>(100'000, "x")), (Duplicate{0, 1}));
}

}  // namespace
}  // namespace berth
