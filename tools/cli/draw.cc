#include "tools/cli/draw.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "allocator/base/status_macros.h"
#include "tools/cli/files.h"
#include "tools/cli/input.h"
#include "tools/show/from_model.h"
#include "tools/show/html.h"
#include "tools/show/memory_map.h"
#include "tools/show/png.h"
#include "tools/show/svg.h"

namespace berth {
namespace {

std::string TitleOf(const std::string& path) {
  if (path == "-") return "standard input";
  return path.substr(path.find_last_of('/') + 1);
}

absl::StatusOr<show::MemoryMap> MapOf(const Input& placed) {
  if (placed.is_program()) {
    return show::FromProgram(placed.program(), TitleOf(placed.path));
  }
  return show::FromInstance(placed.csv().instance, TitleOf(placed.path));
}

}  // namespace

absl::Status Draw(const Input& placed, const std::string& path) {
  BERTH_ASSIGN_OR_RETURN(const show::MemoryMap map, MapOf(placed));
  const show::RenderOptions options;
  if (path == "-" || absl::EndsWith(path, ".svg")) {
    return WriteFile(path, show::RenderSvg(map, options));
  }
  if (absl::EndsWith(path, ".html")) {
    return WriteFile(path, show::RenderHtml({{&map, ""}}));
  }
  if (absl::EndsWith(path, ".png")) {
    BERTH_ASSIGN_OR_RETURN(const std::string bytes,
                           show::RenderPng(map, options));
    return WriteFile(path, bytes);
  }
  return absl::InvalidArgumentError(
      absl::StrCat(path, ": pictures are .svg, .png or .html"));
}

absl::Status DrawBeside(const Input& left, const std::string& left_title,
                        const Input& right, const std::string& right_title,
                        const std::string& path) {
  if (!absl::EndsWith(path, ".html")) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": only a .html shows two placements"));
  }
  BERTH_ASSIGN_OR_RETURN(const show::MemoryMap first, MapOf(left));
  BERTH_ASSIGN_OR_RETURN(const show::MemoryMap second, MapOf(right));
  return WriteFile(
      path, show::RenderHtml({{&first, left_title}, {&second, right_title}}));
}

}  // namespace berth
