#include "tools/perf/history.h"

#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "allocator/base/status_macros.h"

namespace berth::perf {
namespace {

// In the file's header: "Bert".
constexpr int64_t kApplicationId = 0x42657274;
constexpr int64_t kVersion = 1;

constexpr char kSchema[] = R"sql(
CREATE TABLE run(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  recorded_at TEXT NOT NULL,
  commit_id TEXT NOT NULL,
  machine TEXT NOT NULL,
  compiler TEXT NOT NULL,
  flags TEXT NOT NULL,
  label TEXT NOT NULL,
  session TEXT NOT NULL,
  load REAL NOT NULL);
CREATE TABLE series(
  id INTEGER PRIMARY KEY,
  benchmark TEXT NOT NULL,
  measure TEXT NOT NULL,
  UNIQUE(benchmark, measure));
CREATE TABLE sample(
  run_id INTEGER NOT NULL REFERENCES run(id),
  series_id INTEGER NOT NULL REFERENCES series(id),
  repetition INTEGER NOT NULL,
  value NOT NULL,
  PRIMARY KEY(run_id, series_id, repetition)) WITHOUT ROWID;
PRAGMA application_id = 1113944692;
PRAGMA user_version = 1;
)sql";
static_assert(kApplicationId == 1113944692 && kVersion == 1);

absl::Status Refuse(const std::string& path, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(path, ": ", what));
}

// Rolls back unless committed.
class Transaction {
 public:
  explicit Transaction(Database* database) : database_(database) {}
  ~Transaction() {
    if (open_) database_->Execute("ROLLBACK").IgnoreError();
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  absl::Status Begin() {
    BERTH_RETURN_IF_ERROR(database_->Execute("BEGIN IMMEDIATE"));
    open_ = true;
    return absl::OkStatus();
  }
  absl::Status Commit() {
    BERTH_RETURN_IF_ERROR(database_->Execute("COMMIT"));
    open_ = false;
    return absl::OkStatus();
  }

 private:
  Database* database_;
  bool open_ = false;
};

std::string Describe(const RunInfo& run) {
  return absl::StrCat("run ", run.id, " (", run.commit.substr(0, 12), ", ",
                      run.recorded_at, ")");
}

}  // namespace

absl::StatusOr<History> History::Open(const std::string& path, Access access,
                                      int wait_ms) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) {
    if (access == Access::kRead) {
      return Refuse(path,
                    "there is no such history; 'berth perf record' makes one");
    }
  } else if (!S_ISREG(info.st_mode)) {
    return Refuse(path, "is no file; use another --db");
  }
  BERTH_ASSIGN_OR_RETURN(
      Database database,
      Database::Open(path, access == Access::kWrite, wait_ms));
  History history(std::move(database));
  BERTH_RETURN_IF_ERROR(history.Check(access));
  return history;
}

absl::Status History::Check(Access access) {
  BERTH_ASSIGN_OR_RETURN(
      const int64_t tables,
      database_.Number("SELECT count(*) FROM sqlite_schema"));
  if (tables == 0) {
    if (access == Access::kWrite) return Create();
    return Refuse(database_.path(),
                  "holds no runs yet; 'berth perf record' adds one");
  }
  BERTH_ASSIGN_OR_RETURN(const int64_t application,
                         database_.Number("PRAGMA application_id"));
  if (application != kApplicationId) {
    return Refuse(database_.path(),
                  "this SQLite database belongs to another program; it was "
                  "left as it is: use another --db");
  }
  BERTH_ASSIGN_OR_RETURN(const int64_t version,
                         database_.Number("PRAGMA user_version"));
  if (version != kVersion) {
    return Refuse(database_.path(),
                  absl::StrCat("was written by a newer berth (version ",
                               version, " of the history, this one knows ",
                               kVersion, "); update berth"));
  }
  BERTH_ASSIGN_OR_RETURN(Statement check,
                         database_.Prepare("PRAGMA quick_check(1)"));
  BERTH_ASSIGN_OR_RETURN(const bool row, check.Step());
  if (!row || check.Text(0) != "ok") {
    return Refuse(
        database_.path(),
        absl::StrCat("the file is damaged (", row ? check.Text(0) : "no answer",
                     "); it was left as it is. Save what can be read with: "
                     "sqlite3 '",
                     database_.path(),
                     "' .recover | sqlite3 recovered.db; or use another --db"));
  }
  return absl::OkStatus();
}

absl::Status History::Create() {
  Transaction transaction(&database_);
  BERTH_RETURN_IF_ERROR(transaction.Begin());
  // Another process may have made it since we looked.
  BERTH_ASSIGN_OR_RETURN(
      const int64_t tables,
      database_.Number("SELECT count(*) FROM sqlite_schema"));
  if (tables == 0) BERTH_RETURN_IF_ERROR(database_.Execute(kSchema));
  return transaction.Commit();
}

absl::Status History::Append(std::vector<BenchRun>& runs) {
  Transaction transaction(&database_);
  BERTH_RETURN_IF_ERROR(transaction.Begin());
  for (BenchRun& run : runs) BERTH_RETURN_IF_ERROR(AppendOne(run));
  return transaction.Commit();
}

absl::Status History::AppendOne(BenchRun& run) {
  BERTH_ASSIGN_OR_RETURN(
      Statement insert_run,
      database_.Prepare(
          "INSERT INTO run(recorded_at, commit_id, machine, compiler, flags, "
          "label, session, load) VALUES(?, ?, ?, ?, ?, ?, ?, ?)"));
  const RunInfo& info = run.info;
  insert_run.Bind(info.recorded_at)
      .Bind(info.commit)
      .Bind(info.machine)
      .Bind(info.compiler)
      .Bind(info.flags)
      .Bind(info.label)
      .Bind(info.session)
      .Bind(info.load);
  BERTH_RETURN_IF_ERROR(insert_run.Step().status());
  run.info.id = database_.LastId();
  BERTH_ASSIGN_OR_RETURN(
      Statement insert_series,
      database_.Prepare(
          "INSERT OR IGNORE INTO series(benchmark, measure) VALUES(?, ?)"));
  BERTH_ASSIGN_OR_RETURN(
      Statement insert_sample,
      database_.Prepare(
          "INSERT INTO sample(run_id, series_id, repetition, value) VALUES(?, "
          "(SELECT id FROM series WHERE benchmark = ? AND measure = ?), ?, "
          "?)"));
  for (const auto& [name, series] : run.series) {
    insert_series.Bind(name.benchmark).Bind(name.measure);
    BERTH_RETURN_IF_ERROR(insert_series.Step().status());
    for (size_t i = 0; i < series.size(); ++i) {
      insert_sample.Bind(run.info.id)
          .Bind(name.benchmark)
          .Bind(name.measure)
          .Bind(static_cast<int64_t>(i));
      if (series.values.empty()) {
        insert_sample.Bind(series.texts[i]);
      } else {
        insert_sample.Bind(series.values[i]);
      }
      BERTH_RETURN_IF_ERROR(insert_sample.Step().status());
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<RunInfo>> History::List() const {
  BERTH_ASSIGN_OR_RETURN(
      Statement rows,
      database_.Prepare("SELECT id, recorded_at, commit_id, machine, compiler, "
                        "flags, label, session, load FROM run ORDER BY id"));
  std::vector<RunInfo> runs;
  while (true) {
    BERTH_ASSIGN_OR_RETURN(const bool row, rows.Step());
    if (!row) return runs;
    RunInfo run;
    run.id = rows.Int(0);
    run.recorded_at = rows.Text(1);
    run.commit = rows.Text(2);
    run.machine = rows.Text(3);
    run.compiler = rows.Text(4);
    run.flags = rows.Text(5);
    run.label = rows.Text(6);
    run.session = rows.Text(7);
    run.load = rows.Real(8);
    runs.push_back(std::move(run));
  }
}

absl::StatusOr<BenchRun> History::Load(const RunInfo& info) const {
  BERTH_ASSIGN_OR_RETURN(
      Statement rows,
      database_.Prepare(
          "SELECT benchmark, measure, value FROM sample JOIN series ON "
          "series.id = series_id WHERE run_id = ? ORDER BY benchmark, measure, "
          "repetition"));
  rows.Bind(info.id);
  BenchRun run;
  run.info = info;
  while (true) {
    BERTH_ASSIGN_OR_RETURN(const bool row, rows.Step());
    if (!row) return run;
    Series& series = run.series[{rows.Text(0), rows.Text(1)}];
    if (rows.IsText(2)) {
      series.texts.push_back(rows.Text(2));
    } else {
      series.values.push_back(rows.Real(2));
    }
  }
}

absl::StatusOr<RunInfo> SelectRun(const std::vector<RunInfo>& runs,
                                  absl::string_view selector) {
  if (runs.empty()) return absl::NotFoundError("the history holds no runs");
  if (selector == "latest") return runs.back();
  absl::string_view digits = selector;
  const bool is_id = absl::ConsumePrefix(&digits, "#");
  int64_t id = 0;
  if (absl::SimpleAtoi(digits, &id)) {
    for (const RunInfo& run : runs) {
      if (run.id == id) return run;
    }
  }
  for (size_t i = runs.size(); !is_id && !selector.empty() && i-- > 0;) {
    if (absl::StartsWith(runs[i].commit, selector) ||
        runs[i].label == selector) {
      return runs[i];
    }
  }
  return absl::NotFoundError(absl::StrCat(
      "no run is '", selector, "': give an id (1 to ", runs.back().id,
      "), a commit, a label or 'latest'; the newest is ",
      Describe(runs.back())));
}

absl::StatusOr<RunInfo> SelectBase(const std::vector<RunInfo>& runs,
                                   const RunInfo& run) {
  for (const RunInfo& other : runs) {
    if (!run.session.empty() && other.session == run.session &&
        other.id != run.id) {
      return other;
    }
  }
  for (size_t i = runs.size(); i-- > 0;) {
    const RunInfo& other = runs[i];
    if (other.id < run.id && other.machine == run.machine &&
        other.compiler == run.compiler && other.flags == run.flags) {
      return other;
    }
  }
  return absl::NotFoundError(absl::StrCat(
      "no run before ", Describe(run),
      " has the same machine, compiler and flags: name the one to compare "
      "with"));
}

}  // namespace berth::perf
