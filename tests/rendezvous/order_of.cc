#include "tests/rendezvous/order_of.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "allocator/model/check_program.h"
#include "allocator/model/intervals.h"
#include "allocator/model/program.h"
#include "allocator/rendezvous/core_order.h"
#include "gtest/gtest.h"
#include "tests/testing/program_builder.h"

namespace berth::testing {

CoreOrder OrderOf(const ProgramBuilder& builder) {
  const Program program = builder.Build();
  EXPECT_EQ(CheckProgram(program), absl::OkStatus());
  absl::StatusOr<CoreOrder> order = CoreOrder::Of(program);
  EXPECT_TRUE(order.ok()) << order.status();
  return *std::move(order);
}

std::string OrderErrorOf(const ProgramBuilder& builder) {
  const Program program = builder.Build();
  EXPECT_EQ(CheckProgram(program), absl::OkStatus());
  const absl::StatusOr<CoreOrder> order = CoreOrder::Of(program);
  EXPECT_TRUE(absl::IsInvalidArgument(order.status())) << order.status();
  return std::string(order.status().message());
}

std::string PhasesText(const CoreOrder& order, const ProgramBuilder& builder,
                       int32_t core, int32_t function) {
  const Program program = builder.Build();
  const Function& f = program.modules[core].functions[function];
  std::string text;
  for (int32_t flat = 0; flat < f.num_instructions(); ++flat) {
    const Interval phases = order.PhasesOf({core, function, flat});
    absl::StrAppend(&text, flat == 0 ? "" : " ", phases.lo);
    if (phases.hi != phases.lo) absl::StrAppend(&text, "..", phases.hi);
  }
  return text;
}

bool AllBefore(const CoreOrder& order, const CodePlace& a, const CodePlace& b) {
  return order.Before(a.core, order.TimesOf(a).back().hi, b.core,
                      order.TimesOf(b).front().lo);
}

}  // namespace berth::testing
