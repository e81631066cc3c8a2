// I5: the code of a placed program beside that of its input.
#ifndef BERTH_ALLOCATOR_VALIDATE_CODE_MATCH_H_
#define BERTH_ALLOCATOR_VALIDATE_CODE_MATCH_H_

#include <string>

#include "allocator/model/program.h"

namespace berth::validation {

// The first block or instruction of `placed` whose control flow or accesses are
// not those of `input`, in words; empty if there is none. Who drops a use
// shortens a live range, so a placement proves nothing unless its code is that
// of the input. Adjacent DMA_COPYs of the input may be one in `placed`
// (dynamic_dma_cleanup, spec §11). Locations and callees are compared by name;
// names of blocks and instructions are free. An input function without blocks
// stands for its tensors alone: `plan` keeps no second copy of the code. Cost:
// linear.
std::string CodeDifference(const Module& placed_module, const Function& placed,
                           const Module& input_module, const Function& input);

}  // namespace berth::validation

#endif  // BERTH_ALLOCATOR_VALIDATE_CODE_MATCH_H_
