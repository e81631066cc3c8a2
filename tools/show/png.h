// A memory map as PNG.
#ifndef BERTH_TOOLS_SHOW_PNG_H_
#define BERTH_TOOLS_SHOW_PNG_H_

#include <string>

#include "absl/status/statusor.h"
#include "tools/show/memory_map.h"

namespace berth::show {

// The bytes of a PNG file, RGB, options.png_scale times as wide as the SVG. The
// same map gives the same pixels on every machine, and the same bytes with the
// same zlib. kResourceExhausted if the picture would pass 2^28 pixels.
// Cost: as Layout, plus the pixels.
absl::StatusOr<std::string> RenderPng(const MemoryMap& map,
                                      const RenderOptions& options);

}  // namespace berth::show

#endif  // BERTH_TOOLS_SHOW_PNG_H_
