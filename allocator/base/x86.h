// Vectors beyond what every x86-64 has, chosen at run time.
//
// Where BERTH_X86_DISPATCH is 1, functions may carry
// __attribute__((target("avx2"))) and the like; who calls one asks
// __builtin_cpu_supports() first. Elsewhere, and with -DBERTH_X86_DISPATCH=0,
// there are only the portable kernels, which give the same answers.
#ifndef BERTH_ALLOCATOR_BASE_X86_H_
#define BERTH_ALLOCATOR_BASE_X86_H_

#ifndef BERTH_X86_DISPATCH
#ifdef __x86_64__
#define BERTH_X86_DISPATCH 1
#else
#define BERTH_X86_DISPATCH 0
#endif
#endif

#if BERTH_X86_DISPATCH
#include <immintrin.h>  // IWYU pragma: export
#endif

#endif  // BERTH_ALLOCATOR_BASE_X86_H_
