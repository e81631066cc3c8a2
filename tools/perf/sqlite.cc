#include "tools/perf/sqlite.h"

#include <sqlite3.h>

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/status_macros.h"

namespace berth::perf {
namespace {

// What to do about an error of SQLite.
std::string Advice(const std::string& path, int code) {
  switch (code & 0xff) {
    case SQLITE_CORRUPT:
      return absl::StrCat(
          "the file is damaged; it was left as it is. Save what can be read "
          "with: sqlite3 '",
          path, "' .recover | sqlite3 recovered.db; or use another --db");
    case SQLITE_NOTADB:
      return "this is no SQLite database; it was left as it is: use another "
             "--db";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "another process is writing to it; nothing was changed: try again";
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return "no permission to write it or its folder";
    case SQLITE_CANTOPEN:
      return "it cannot be opened: does its folder exist, and is it a file "
             "that you may read and write?";
    case SQLITE_FULL:
      return "the disk is full; nothing was stored";
    default:
      return "nothing was stored";
  }
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

Statement& Statement::Bind(int64_t value) {
  sqlite3_bind_int64(statement_.get(), ++bound_, value);
  return *this;
}

Statement& Statement::Bind(double value) {
  sqlite3_bind_double(statement_.get(), ++bound_, value);
  return *this;
}

Statement& Statement::Bind(absl::string_view text) {
  sqlite3_bind_text(statement_.get(), ++bound_, text.data(),
                    static_cast<int>(text.size()), SQLITE_TRANSIENT);
  return *this;
}

absl::StatusOr<bool> Statement::Step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  absl::Status status;
  if (code != SQLITE_DONE) status = database_->Error();
  sqlite3_reset(statement_.get());
  bound_ = 0;
  if (!status.ok()) return status;
  return false;
}

int64_t Statement::Int(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

double Statement::Real(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}

std::string Statement::Text(int column) const {
  const auto* text = reinterpret_cast<const char*>(
      sqlite3_column_text(statement_.get(), column));
  if (text == nullptr) return "";
  return std::string(text, static_cast<size_t>(
                               sqlite3_column_bytes(statement_.get(), column)));
}

bool Statement::IsText(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_TEXT;
}

void Database::Close::operator()(sqlite3* handle) const {
  sqlite3_close_v2(handle);
}

Database::Database(std::string path, sqlite3* handle)
    : path_(std::move(path)), handle_(handle) {}

absl::StatusOr<Database> Database::Open(const std::string& path, bool create,
                                        int wait_ms) {
  sqlite3* handle = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
  Database database(path, handle);
  if (code != SQLITE_OK) return database.Error();
  sqlite3_busy_timeout(handle, wait_ms);
  sqlite3_extended_result_codes(handle, 1);
  return database;
}

absl::Status Database::Execute(const char* sql) {
  if (sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr) !=
      SQLITE_OK) {
    return Error();
  }
  return absl::OkStatus();
}

absl::StatusOr<Statement> Database::Prepare(const char* sql) const {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(handle_.get(), sql, -1, &statement, nullptr) !=
      SQLITE_OK) {
    return Error();
  }
  return Statement(this, statement);
}

absl::StatusOr<int64_t> Database::Number(const char* sql) const {
  BERTH_ASSIGN_OR_RETURN(Statement statement, Prepare(sql));
  BERTH_ASSIGN_OR_RETURN(const bool row, statement.Step());
  return row ? statement.Int(0) : int64_t{0};
}

int64_t Database::LastId() const {
  return sqlite3_last_insert_rowid(handle_.get());
}

absl::Status Database::Error() const {
  const int code = handle_ == nullptr ? SQLITE_NOMEM
                                      : sqlite3_extended_errcode(handle_.get());
  const char* message =
      handle_ == nullptr ? "out of memory" : sqlite3_errmsg(handle_.get());
  return absl::InvalidArgumentError(
      absl::StrCat(path_, ": ", message, "; ", Advice(path_, code)));
}

}  // namespace berth::perf
