#include "tools/show/png.h"

#include <png.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tools/show/layout.h"
#include "tools/show/raster.h"
#include "tools/show/scene.h"

namespace berth::show {
namespace {

constexpr int64_t kMaxPixels = int64_t{1} << 28;

absl::StatusOr<std::string> Encode(const Raster& raster) {
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<uint32_t>(raster.width());
  image.height = static_cast<uint32_t>(raster.height());
  image.format = PNG_FORMAT_RGB;
  // Flat areas compress well by any filter; the fast one halves the time.
  image.flags = PNG_IMAGE_FLAG_FAST;
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(image), '\0');
  png_alloc_size_t size = bytes.size();
  if (!png_image_write_to_memory(&image, bytes.data(), &size,
                                 /*convert_to_8_bit=*/0, raster.rgb().data(),
                                 /*row_stride=*/0, /*colormap=*/nullptr)) {
    return absl::InternalError(absl::StrCat("libpng: ", image.message));
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace

absl::StatusOr<std::string> RenderPng(const MemoryMap& map,
                                      const RenderOptions& options) {
  const Scene scene = Layout(map, options);
  const int32_t scale = std::clamp(options.png_scale, 1, 8);
  const int64_t pixels = int64_t{scene.width / kPixel} * scale *
                         (int64_t{scene.height / kPixel} * scale);
  if (pixels > kMaxPixels) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "the picture would have ", pixels, " pixels, more than ", kMaxPixels));
  }
  Raster raster(scene, scale);
  raster.Draw(scene);
  return Encode(raster);
}

}  // namespace berth::show
