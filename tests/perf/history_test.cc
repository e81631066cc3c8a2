// The promises of the history: what was stored stays, whatever happens.
#include "tools/perf/history.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/perf/killing_vfs.h"

namespace berth::perf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string NewPath() {
  static int count = 0;
  const std::string path = absl::StrCat(::testing::TempDir(), "/history_",
                                        getpid(), "_", ++count, ".db");
  unlink(path.c_str());
  return path;
}

BenchRun Sample(const std::string& commit, double first) {
  BenchRun run;
  run.info.commit = commit;
  run.info.recorded_at = "2026-11-30T08:24:50Z";
  run.info.machine = "one";
  for (const char* benchmark : {"A", "B", "C"}) {
    for (int i = 0; i < 50; ++i) {
      run.series[{benchmark, "cpu_time"}].values.push_back(first + i);
    }
    run.series[{benchmark, "hash"}].texts = {commit, "x'); --"};
  }
  return run;
}

std::string Content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

void Write(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

absl::Status Append(const std::string& path, BenchRun run) {
  auto history = History::Open(path, History::Access::kWrite);
  if (!history.ok()) return history.status();
  std::vector<BenchRun> runs = {std::move(run)};
  return history->Append(runs);
}

// Every run of the history, whole.
void ExpectRuns(const std::string& path,
                const std::vector<std::string>& commits) {
  auto history = History::Open(path, History::Access::kRead);
  ASSERT_TRUE(history.ok()) << history.status();
  const auto infos = history->List();
  ASSERT_TRUE(infos.ok());
  ASSERT_EQ(infos->size(), commits.size());
  for (size_t i = 0; i < commits.size(); ++i) {
    EXPECT_EQ((*infos)[i].commit, commits[i]);
    const auto run = history->Load((*infos)[i]);
    ASSERT_TRUE(run.ok());
    EXPECT_EQ(run->series.size(), 6u);
    for (const auto& [name, series] : run->series) {
      EXPECT_EQ(series.size(), name.measure == "hash" ? 2u : 50u);
    }
  }
}

std::string OpenError(const std::string& path, History::Access access) {
  const auto history = History::Open(path, access, 0);
  EXPECT_FALSE(history.ok());
  return std::string(history.status().message());
}

TEST(HistoryTest, GivesBackWhatWasStored) {
  const std::string path = NewPath();
  BenchRun first = Sample("aa", 1);
  first.info.label = "l";
  first.info.session = "s";
  first.info.load = 2.5;
  ASSERT_TRUE(Append(path, first).ok());
  ASSERT_TRUE(Append(path, Sample("bb", 0.1)).ok());
  auto history = History::Open(path, History::Access::kRead);
  ASSERT_TRUE(history.ok());
  const auto infos = *history->List();
  ASSERT_EQ(infos.size(), 2u);
  EXPECT_EQ(infos[0].id, 1);
  EXPECT_EQ(infos[0].label, "l");
  EXPECT_EQ(infos[0].session, "s");
  EXPECT_DOUBLE_EQ(infos[0].load, 2.5);
  const BenchRun run = *history->Load(infos[1]);
  EXPECT_EQ((run.series.at({"A", "cpu_time"}).values),
            (Sample("bb", 0.1).series.at({"A", "cpu_time"}).values));
  EXPECT_THAT((run.series.at({"B", "hash"}).texts),
              ElementsAre("bb", "x'); --"));
}

// A process that dies at its n-th write to the disk, for every n until none is
// left to die at: the runs of before are there, the last whole or not at all.
TEST(HistoryTest, SurvivesBeingKilledAtAnyWrite) {
  for (int fatal = 1;; ++fatal) {
    const std::string path = NewPath();
    ASSERT_TRUE(Append(path, Sample("first", 1)).ok());
    const pid_t child = fork();
    if (child == 0) {
      DieAtWrite(fatal);
      _exit(Append(path, Sample("second", 2)).ok() ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    const bool died = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    if (!died) {
      ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
      ExpectRuns(path, {"first", "second"});
      ASSERT_GT(fatal, 5);  // it did write, and died each time
      return;
    }
    ASSERT_TRUE(Append(path, Sample("third", 3)).ok());
    auto history = History::Open(path, History::Access::kRead);
    ASSERT_TRUE(history.ok()) << history.status();
    if (history->List()->size() == 3) {
      ExpectRuns(path, {"first", "second", "third"});
    } else {
      ExpectRuns(path, {"first", "third"});
    }
  }
}

TEST(HistoryTest, SurvivesBeingKilledWhileItIsMade) {
  for (int fatal = 1;; ++fatal) {
    const std::string path = NewPath();
    const pid_t child = fork();
    if (child == 0) {
      DieAtWrite(fatal);
      _exit(Append(path, Sample("first", 1)).ok() ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    if (WIFEXITED(status)) {
      ASSERT_EQ(WEXITSTATUS(status), 0);
      ASSERT_GT(fatal, 5);
      return;
    }
    const absl::Status again = Append(path, Sample("again", 2));
    ASSERT_TRUE(again.ok()) << again << " after " << fatal;
  }
}

TEST(HistoryTest, SeveralWritersLoseNothing) {
  constexpr int kWriters = 4;
  constexpr int kEach = 6;
  const std::string path = NewPath();
  for (int writer = 0; writer < kWriters; ++writer) {
    if (fork() != 0) continue;
    for (int i = 0; i < kEach; ++i) {
      if (!Append(path, Sample(absl::StrCat(writer, "-", i), i)).ok()) _exit(1);
    }
    _exit(0);
  }
  for (int writer = 0; writer < kWriters; ++writer) {
    int status = 0;
    wait(&status);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  auto history = History::Open(path, History::Access::kRead);
  ASSERT_TRUE(history.ok());
  const auto infos = *history->List();
  EXPECT_EQ(infos.size(), size_t{kWriters * kEach});
  for (const RunInfo& info : infos) {
    EXPECT_EQ(history->Load(info)->series.size(), 6u);
  }
}

TEST(HistoryTest, SaysThatAnotherProcessWrites) {
  const std::string path = NewPath();
  ASSERT_TRUE(Append(path, Sample("a", 1)).ok());
  auto other = Database::Open(path, false, 0);
  ASSERT_TRUE(other.ok());
  ASSERT_TRUE(other->Execute("BEGIN EXCLUSIVE").ok());
  EXPECT_THAT(OpenError(path, History::Access::kWrite),
              HasSubstr("another process is writing to it; nothing was "
                        "changed: try again"));
}

TEST(HistoryTest, RefusesADamagedFileAndLeavesIt) {
  const std::string path = NewPath();
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(Append(path, Sample("a", i)).ok());
  const std::string good = Content(path);
  std::string damaged = good;
  for (size_t i = 4096 * 2 + 8; i < damaged.size(); i += 97) damaged[i] ^= 0x5a;
  for (const std::string& content :
       {damaged, good.substr(0, good.size() / 2), good.substr(0, 3000),
        "SQLite format 3" + std::string(200, '\0') + "zz"}) {
    Write(path, content);
    for (const auto access :
         {History::Access::kRead, History::Access::kWrite}) {
      EXPECT_THAT(OpenError(path, access),
                  ::testing::AnyOf(HasSubstr("damaged"),
                                   HasSubstr("no SQLite database")));
      EXPECT_EQ(Content(path), content);
    }
  }
}

TEST(HistoryTest, RefusesWhatIsNotOursAndLeavesIt) {
  const std::string path = NewPath();
  const std::string text = "# not a database\n" + std::string(2000, 'x');
  Write(path, text);
  EXPECT_THAT(OpenError(path, History::Access::kWrite),
              HasSubstr("use another --db"));
  EXPECT_EQ(Content(path), text);

  const std::string foreign = NewPath();
  ASSERT_TRUE(Database::Open(foreign, true, 0)
                  ->Execute("CREATE TABLE run(id); INSERT INTO run VALUES(7)")
                  .ok());
  const std::string before = Content(foreign);
  EXPECT_THAT(OpenError(foreign, History::Access::kWrite),
              HasSubstr("belongs to another program"));
  EXPECT_EQ(Content(foreign), before);

  const std::string newer = NewPath();
  ASSERT_TRUE(Append(newer, Sample("a", 1)).ok());
  ASSERT_TRUE(
      Database::Open(newer, false, 0)->Execute("PRAGMA user_version = 2").ok());
  EXPECT_THAT(OpenError(newer, History::Access::kRead),
              HasSubstr("update berth"));
  EXPECT_THAT(OpenError(::testing::TempDir(), History::Access::kWrite),
              HasSubstr("is no file"));
  EXPECT_THAT(OpenError("/no/such/folder/x.db", History::Access::kWrite),
              HasSubstr("does its folder exist"));
  EXPECT_THAT(OpenError("/no/such/folder/x.db", History::Access::kRead),
              HasSubstr("'berth perf record' makes one"));
}

RunInfo Info(int64_t id, const std::string& commit,
             const std::string& session = "",
             const std::string& machine = "one") {
  RunInfo info;
  info.id = id;
  info.commit = commit;
  info.session = session;
  info.machine = machine;
  return info;
}

TEST(SelectTest, ByIdCommitLabelOrNewest) {
  std::vector<RunInfo> runs = {Info(1, "abc"), Info(2, "abd"), Info(5, "abd")};
  runs[0].label = "release";
  EXPECT_EQ(SelectRun(runs, "2")->id, 2);
  EXPECT_EQ(SelectRun(runs, "#5")->id, 5);
  EXPECT_EQ(SelectRun(runs, "latest")->id, 5);
  EXPECT_EQ(SelectRun(runs, "abd")->id, 5);
  EXPECT_EQ(SelectRun(runs, "abc")->id, 1);
  EXPECT_EQ(SelectRun(runs, "release")->id, 1);
  for (const char* none : {"#abc", "9", "", "zz"}) {
    EXPECT_THAT(SelectRun(runs, none).status().message(),
                HasSubstr("the newest is run 5 (abd"));
  }
  EXPECT_FALSE(SelectRun({}, "latest").ok());
}

TEST(SelectTest, TheBaseIsThePartnerElseTheNewestThatCompares) {
  const std::vector<RunInfo> runs = {Info(1, "a"), Info(2, "b", "", "two"),
                                     Info(3, "c", "s"), Info(4, "d", "s"),
                                     Info(5, "e", "", "three")};
  EXPECT_EQ(SelectBase(runs, runs[3])->id, 3);
  EXPECT_EQ(SelectBase(runs, runs[2])->id, 4);
  EXPECT_FALSE(SelectBase(runs, runs[1]).ok());
  EXPECT_THAT(SelectBase(runs, runs[4]).status().message(),
              HasSubstr("same machine, compiler and flags"));
  const RunInfo later = Info(6, "f");
  EXPECT_EQ(SelectBase(runs, later)->id, 4);
}

}  // namespace
}  // namespace berth::perf
