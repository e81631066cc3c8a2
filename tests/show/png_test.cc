#include "tools/show/png.h"

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "allocator/base/fnv.h"
#include "gtest/gtest.h"
#include "tests/show/sample_maps.h"
#include "tools/show/layout.h"
#include "tools/show/memory_map.h"
#include "tools/show/raster.h"

namespace berth::show {
namespace {

uint32_t BigEndian32(const std::string& bytes, size_t at) {
  uint32_t value = 0;
  for (size_t i = at; i < at + 4; ++i) {
    value = value << 8 | static_cast<uint8_t>(bytes[i]);
  }
  return value;
}

class EverySample : public testing::TestWithParam<NamedMap> {};

TEST_P(EverySample, GivesAPngOfTheSizeOfTheDrawing) {
  RenderOptions options;
  options.png_scale = 1;
  const absl::StatusOr<std::string> png = RenderPng(GetParam().map, options);
  ASSERT_TRUE(png.ok()) << png.status();
  EXPECT_EQ(png->substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(png->substr(12, 4), "IHDR");
  EXPECT_EQ(BigEndian32(*png, 16), 1240u);
  const Scene scene = Layout(GetParam().map, options);
  EXPECT_EQ(BigEndian32(*png, 20),
            static_cast<uint32_t>(scene.height / kPixel));
  EXPECT_EQ(png->substr(png->size() - 8, 4), "IEND");
}

INSTANTIATE_TEST_SUITE_P(Png, EverySample, testing::ValuesIn(SampleMaps()),
                         [](const auto& info) { return info.param.name; });

TEST(Png, ScaleMultipliesTheSize) {
  RenderOptions options;
  options.png_scale = 3;
  const auto png = RenderPng(MemoryMap(), options);
  ASSERT_TRUE(png.ok());
  EXPECT_EQ(BigEndian32(*png, 16), 3u * 1240);
}

TEST(Png, RefusesAPictureOfTooManyPixels) {
  RenderOptions options;
  options.width_px = 20000;
  options.png_scale = 8;
  EXPECT_EQ(RenderPng(RandomMap(1, 1), options).status().code(),
            absl::StatusCode::kResourceExhausted);
}

// Pixels, not the file: zlib may compress otherwise elsewhere.
TEST(Raster, PixelsArePinned) {
  const Scene scene = Layout(RandomMap(300, 1), RenderOptions());
  Raster raster(scene, 1);
  raster.Draw(scene);
  Fnv1a64 hash;
  for (uint8_t byte : raster.rgb()) hash.AddByte(byte);
  EXPECT_EQ(hash.hash(), 7829621990215367348u);
}

TEST(Raster, BoxesCoverExactly) {
  Scene scene;
  scene.width = 300;
  scene.height = 200;
  SceneRect rect;
  rect.box = {50, 0, 250, 100};  // half of the first and third pixel
  rect.fill = {0, 0, 0};
  scene.backgrounds.push_back(rect);
  Raster raster(scene, 1);
  raster.Draw(scene);
  ASSERT_EQ(raster.width(), 3);
  ASSERT_EQ(raster.height(), 2);
  const auto red = [&](int x, int y) { return raster.rgb()[3 * (3 * y + x)]; };
  EXPECT_EQ(red(0, 0), 128);
  EXPECT_EQ(red(1, 0), 0);
  EXPECT_EQ(red(2, 0), 128);
  EXPECT_EQ(red(1, 1), 255);
}

TEST(Raster, TextLeavesInk) {
  for (const char* text : {"0123456789", "AZaz", "\xe2\x82\xac", "{|}~"}) {
    Scene scene;
    scene.width = 10000;
    scene.height = 3000;
    scene.texts.push_back({.x = 500, .y = 2000, .color = {}, .text = text});
    Raster raster(scene, 1);
    raster.Draw(scene);
    int inked = 0;
    for (uint8_t byte : raster.rgb()) inked += byte < 128;
    EXPECT_GT(inked, 8) << text;
  }
}

}  // namespace
}  // namespace berth::show
