// SQLite as values and statuses. Knows nothing of what is stored.
//
// Thread-safety: none. Errors say what happened to which file and what to do;
// no error leaves a transaction half done.
#ifndef BERTH_TOOLS_PERF_SQLITE_H_
#define BERTH_TOOLS_PERF_SQLITE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

struct sqlite3;
struct sqlite3_stmt;

namespace berth::perf {

class Database;

// A prepared statement. Errors of Bind are kept and returned by Step.
class Statement {
 public:
  Statement& Bind(int64_t value);
  Statement& Bind(double value);
  Statement& Bind(absl::string_view text);
  // True if there is a row, false at the end; then it can be bound anew.
  absl::StatusOr<bool> Step();
  // Of the current row, columns from 0.
  int64_t Int(int column) const;
  double Real(int column) const;
  std::string Text(int column) const;
  bool IsText(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(const Database* database, sqlite3_stmt* statement)
      : database_(database), statement_(statement) {}

  const Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int bound_ = 0;
};

class Database {
 public:
  // `create`: makes the file if there is none; otherwise kNotFound. Waits
  // `wait_ms` for another process that holds it.
  static absl::StatusOr<Database> Open(const std::string& path, bool create,
                                       int wait_ms);

  const std::string& path() const { return path_; }
  absl::Status Execute(const char* sql);
  absl::StatusOr<Statement> Prepare(const char* sql) const;
  // The one number that `sql` gives.
  absl::StatusOr<int64_t> Number(const char* sql) const;
  int64_t LastId() const;
  // SQLite's last error as ours.
  absl::Status Error() const;

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  Database(std::string path, sqlite3* handle);

  std::string path_;
  std::unique_ptr<sqlite3, Close> handle_;
};

}  // namespace berth::perf

#endif  // BERTH_TOOLS_PERF_SQLITE_H_
