// Draws a placed input into a file, by the file's ending.
#ifndef BERTH_TOOLS_CLI_DRAW_H_
#define BERTH_TOOLS_CLI_DRAW_H_

#include <string>

#include "absl/status/status.h"
#include "tools/cli/input.h"

namespace berth {

// FILE.svg, FILE.png or FILE.html; kInvalidArgument for another ending.
absl::Status Draw(const Input& placed, const std::string& path);

// Two placements of one input side by side, FILE.html only; each with what it
// is called.
absl::Status DrawBeside(const Input& left, const std::string& left_title,
                        const Input& right, const std::string& right_title,
                        const std::string& path);

}  // namespace berth

#endif  // BERTH_TOOLS_CLI_DRAW_H_
