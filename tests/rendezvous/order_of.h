// The order across cores of programs written in tests, as text.
#ifndef BERTH_TESTS_RENDEZVOUS_ORDER_OF_H_
#define BERTH_TESTS_RENDEZVOUS_ORDER_OF_H_

#include <cstdint>
#include <string>

#include "allocator/rendezvous/core_order.h"
#include "tests/testing/program_builder.h"

namespace berth::testing {

// Of a program that has one.
CoreOrder OrderOf(const ProgramBuilder& builder);

// The message of a program that has none.
std::string OrderErrorOf(const ProgramBuilder& builder);

// The phases of a function's instructions: "0 1 2..4", a hull as lo..hi.
std::string PhasesText(const CoreOrder& order, const ProgramBuilder& builder,
                       int32_t core, int32_t function = 0);

// All runs of `a` come before all runs of `b`.
bool AllBefore(const CoreOrder& order, const CodePlace& a, const CodePlace& b);

}  // namespace berth::testing

#endif  // BERTH_TESTS_RENDEZVOUS_ORDER_OF_H_
