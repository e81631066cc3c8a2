// The generators, one family a file. Internal to allocator/gen: gen.cc checks
// the options and dispatches.
#ifndef BERTH_ALLOCATOR_GEN_FAMILIES_H_
#define BERTH_ALLOCATOR_GEN_FAMILIES_H_

#include <cstdint>
#include <string>

#include "allocator/gen/gen.h"
#include "allocator/model/instance.h"
#include "allocator/model/program.h"

namespace berth::gen {

// "generated: random, size 100, seed 1": a generated program's comment.
std::string Describe(const GenOptions& options);

// REQUIRES of all: options that gen.cc has checked.
Program RandomProgram(const GenOptions& options);
Instance RandomInstance(const GenOptions& options);

Program NestedProgram(const GenOptions& options);
Instance NestedInstance(const GenOptions& options);

Program AdversarialProgram(const GenOptions& options);
Instance AdversarialInstance(const GenOptions& options);
uint64_t AdversarialOptimumBytes(const GenOptions& options);

Program TransformerProgram(const GenOptions& options);
Program CallsProgram(const GenOptions& options);
Program CnnProgram(const GenOptions& options);
Program LoopsProgram(const GenOptions& options);
Program BranchesProgram(const GenOptions& options);

}  // namespace berth::gen

#endif  // BERTH_ALLOCATOR_GEN_FAMILIES_H_
