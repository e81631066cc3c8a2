// Every way in which a planner that is another program can end. The planners
// are one-line shell commands.
#include "tools/external/external_planner.h"

#include <csignal>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "allocator/model/instance.h"
#include "allocator/validate/validate.h"
#include "gtest/gtest.h"
#include "tools/external/process.h"

namespace berth {
namespace {

// a and b meet; c meets none of them.
Instance Three() {
  Instance instance;
  instance.buffers = {{"a", 0, 5, 10}, {"b", 4, 9, 20}, {"c", 9, 12, 5}};
  return instance;
}

ExternalResult RunOn(const Instance& instance, const std::string& command,
                     ExternalOptions options = {}) {
  options.limits.seconds = 20;
  const absl::StatusOr<ExternalResult> result =
      RunExternal({"peer", command}, instance, options);
  EXPECT_TRUE(result.ok()) << result.status();
  return result.ok() ? *result : ExternalResult();
}

// A planner that says what `rows` say, whatever it is asked.
ExternalResult Says(const std::string& rows) {
  return RunOn(Three(), "cat {in} >/dev/null; printf '" + rows + "' >{out}");
}

TEST(ExternalPlanner, AValidPlacement) {
  const ExternalResult result = Says(
      "id,lower,upper,size,offset\\na,0,5,10,0\\nb,4,9,20,10\\nc,9,12,5,0\\n");
  EXPECT_EQ(result.outcome, ExternalOutcome::kValid) << result.message;
  EXPECT_EQ(result.peak, 30u);
  EXPECT_EQ(result.placed.buffers[1].offset, 10u);
  EXPECT_GT(result.process.max_rss_bytes, 0u);
}

TEST(ExternalPlanner, OtherColumnsAreNotBelieved) {
  const ExternalResult result = Says(
      "offset,buffer,size\\r\\n\\n# hello\\n0,a,99\\n10,b,1\\n0,c,7\\r\\n");
  EXPECT_EQ(result.outcome, ExternalOutcome::kValid) << result.message;
  EXPECT_EQ(result.placed.buffers[0].size, 10u);
}

TEST(ExternalPlanner, AClashIsInvalidAndNamesBoth) {
  const ExternalResult result = Says("id,offset\\na,0\\nb,9\\nc,0\\n");
  EXPECT_EQ(result.outcome, ExternalOutcome::kInvalid);
  ASSERT_FALSE(result.report.ok());
  EXPECT_EQ(result.report.violations[0].invariant, Invariant::kI1);
  EXPECT_TRUE(absl::StrContains(result.message, "'a'")) << result.message;
  EXPECT_TRUE(absl::StrContains(result.message, "'b'")) << result.message;
}

TEST(ExternalPlanner, OverTheCapacityIsInvalid) {
  ExternalOptions options;
  options.plan.capacity_bytes = 29;
  const ExternalResult result =
      RunOn(Three(),
            "test {capacity} = 29 && cp {in} {out} && "
            "printf 'id,offset\\na,0\\nb,10\\nc,0\\n' >{out}",
            options);
  EXPECT_EQ(result.outcome, ExternalOutcome::kInvalid) << result.message;
}

TEST(ExternalPlanner, MissingIds) {
  for (const char* rows :
       {"id,offset\\na,0\\nc,0\\n", "id,offset\\na,0\\nb,\\nc,0\\n",
        "id,offset\\na,0\\nb,-1\\nc,0\\n"}) {
    const ExternalResult result = Says(rows);
    EXPECT_EQ(result.outcome, ExternalOutcome::kMissingIds) << rows;
    EXPECT_EQ(result.message, "'b' has no offset; 1 of 3 have none");
  }
}

TEST(ExternalPlanner, Garbage) {
  for (const char* rows :
       {"", "hello\\n", "id,offset\\na,0\\nb,10\\nc\\n",
        "id,offset\\na,0\\nb,ten\\nc,0\\n", "id,offset\\na,0\\nb,10\\nd,0\\n",
        "id,offset\\na,0\\na,0\\nb,10\\nc,0\\n",
        "id,offset\\na,0\\nb,18446744073709551616\\nc,0\\n"}) {
    const ExternalResult result = Says(rows);
    EXPECT_EQ(result.outcome, ExternalOutcome::kGarbage) << rows;
    EXPECT_FALSE(result.message.empty()) << rows;
  }
}

TEST(ExternalPlanner, NoOutputFailureAndCrashAreToldApart) {
  EXPECT_EQ(RunOn(Three(), "true {in} {out}").outcome,
            ExternalOutcome::kNoOutput);
  const ExternalResult failed =
      RunOn(Three(), "echo does not fit >&2; : {in} {out}; exit 7");
  EXPECT_EQ(failed.outcome, ExternalOutcome::kFailed);
  EXPECT_EQ(failed.process.exit_code, 7);
  EXPECT_EQ(failed.message, "exit code 7 (does not fit)");
  const ExternalResult crashed = RunOn(Three(), ": {in} {out}; kill -SEGV $$");
  EXPECT_EQ(crashed.outcome, ExternalOutcome::kCrashed);
  EXPECT_EQ(crashed.process.signal, SIGSEGV);
  // A crash of what the shell started.
  const ExternalResult below =
      RunOn(Three(), ": {in} {out}; sh -c 'kill -ABRT $$'; exit $?");
  EXPECT_EQ(below.outcome, ExternalOutcome::kCrashed);
  EXPECT_EQ(below.process.signal, SIGABRT);
}

TEST(ExternalPlanner, ATimeOutKillsAllThatRuns) {
  ExternalOptions options;
  options.limits.seconds = 0.2;
  const absl::StatusOr<ExternalResult> result = RunExternal(
      {"peer", ": {in} {out}; sleep 600 & sleep 600"}, Three(), options);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->outcome, ExternalOutcome::kTimedOut);
  EXPECT_GE(result->process.seconds, 0.2);
  EXPECT_EQ(result->process.exit_code, -1);
}

TEST(ExternalPlanner, PinsAreHandedOverAndMustStay) {
  Instance pinned = Three();
  pinned.buffers[0].offset = 40;
  const ExternalResult kept =
      RunOn(pinned,
            "grep -qx 'a,0,5,10,40' {in} && "
            "printf 'id,offset\\na,40\\nb,0\\nc,0\\n' >{out}");
  EXPECT_EQ(kept.outcome, ExternalOutcome::kValid) << kept.message;
  const ExternalResult moved = RunOn(
      pinned, "cat {in}; printf 'id,offset\\na,20\\nb,0\\nc,0\\n' >{out}");
  EXPECT_EQ(moved.outcome, ExternalOutcome::kInvalid);
  EXPECT_EQ(moved.report.violations[0].invariant, Invariant::kI5);
}

TEST(ExternalPlanner, WithoutPinsThereIsNoOffsetColumn) {
  const ExternalResult result =
      RunOn(Three(),
            "head -1 {in} | grep -qx id,lower,upper,size && "
            "printf 'id,offset\\na,0\\nb,10\\nc,0\\n' >{out}");
  EXPECT_EQ(result.outcome, ExternalOutcome::kValid) << result.message;
}

TEST(ExternalPlanner, CommandsNeedInAndOut) {
  EXPECT_TRUE(CheckExternalCommand("x {in} {out}").ok());
  EXPECT_FALSE(CheckExternalCommand("x {in}").ok());
  EXPECT_FALSE(CheckExternalCommand("x {out}").ok());
  EXPECT_EQ(ExternalCommandOf("cmd:x {in}"), "x {in}");
  EXPECT_EQ(ExternalCommandOf("briggs"), std::nullopt);
}

TEST(Process, TellsExitCodeOutputAndMemoryLimit) {
  ProcessLimits limits;
  const auto result = RunProcess("echo out; echo err >&2; exit 3", limits);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->exit_code, 3);
  EXPECT_EQ(result->output, "out\nerr\n");
  EXPECT_FALSE(result->timed_out);
  limits.memory_bytes = 1 << 20;
  const auto starved = RunProcess("exec sort /dev/null", limits);
  ASSERT_TRUE(starved.ok());
  EXPECT_NE(starved->exit_code, 0);
}

// Its shell does not wait for a process that is killed with it.
TEST(Process, WhatAKilledShellStartedIsCounted) {
  ProcessLimits limits;
  limits.seconds = 3;
  const auto result = RunProcess(
      "(i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done; sleep 100); true",
      limits);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->timed_out);
  EXPECT_GT(result->cpu_seconds, 0.01);
}

TEST(Process, QuotesForTheShell) {
  const auto result = RunProcess("printf %s " + ShellQuoted("a'b $x\n"), {});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->output, "a'b $x\n");
}

}  // namespace
}  // namespace berth
