// Shrinks an input of the tool, whichever kind it is.
#ifndef BERTH_TOOLS_CLI_SHRINK_INPUT_H_
#define BERTH_TOOLS_CLI_SHRINK_INPUT_H_

#include <functional>
#include <string>

#include "tools/cli/input.h"
#include "tools/diff/shrink.h"

namespace berth {

struct Shrunk {
  Input input;
  ShrinkStats stats;
};

// REQUIRES: holds(input). Cost: at most limits.tries calls of `holds`.
Shrunk ShrinkInput(const Input& input,
                   const std::function<bool(const Input&)>& holds,
                   const ShrinkLimits& limits);

// "12 buffers", or "3 locations, 9 instructions".
std::string SizeText(const Input& input);

}  // namespace berth

#endif  // BERTH_TOOLS_CLI_SHRINK_INPUT_H_
