// Seeded small inputs for `berth diff --programs N`: the same seed gives the
// same input on every machine.
#ifndef BERTH_TOOLS_DIFF_RANDOM_INPUT_H_
#define BERTH_TOOLS_DIFF_RANDOM_INPUT_H_

#include <cstdint>

#include "tools/cli/input.h"

namespace berth {

struct RandomInputOptions {
  bool csv = false;       // a CSV problem rather than a program
  bool features = false;  // CSV: alignments, gaps and pins too
};

// Small programs, as the fuzz targets change them, in turn with those of
// `berth gen`; CSV problems likewise. Its path says "seed S".
Input RandomInput(uint64_t seed, const RandomInputOptions& options);

}  // namespace berth

#endif  // BERTH_TOOLS_DIFF_RANDOM_INPUT_H_
