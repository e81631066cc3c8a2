// The history of runs: one SQLite file.
//
// A run is stored whole or not at all, also when the process is killed or the
// machine stops in the middle; several processes may write at once, one after
// another. What is no history of ours, is damaged, or comes from a newer
// version is refused and left as it is. Nothing is ever deleted.
//
// Thread-safety: none; one History per thread. Errors name the file and say
// what to do (kInvalidArgument; kNotFound for a run that is not there).
#ifndef BERTH_TOOLS_PERF_HISTORY_H_
#define BERTH_TOOLS_PERF_HISTORY_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/perf/run.h"
#include "tools/perf/sqlite.h"

namespace berth::perf {

class History {
 public:
  // kWrite makes the file if there is none.
  enum class Access { kRead, kWrite };

  // Waits up to `wait_ms` whenever another process holds the file.
  static absl::StatusOr<History> Open(const std::string& path, Access access,
                                      int wait_ms = 30000);

  // Stores the runs, all or none, and sets their ids.
  absl::Status Append(std::vector<BenchRun>& runs);

  // All runs in the order of recording, without their values.
  absl::StatusOr<std::vector<RunInfo>> List() const;
  absl::StatusOr<BenchRun> Load(const RunInfo& info) const;

 private:
  explicit History(Database database) : database_(std::move(database)) {}
  absl::Status Check(Access access);
  absl::Status Create();
  absl::Status AppendOne(BenchRun& run);

  Database database_;
};

// Which run `selector` means: an id ("12" or "#12"), "latest", or the newest
// run whose commit begins with it or whose label equals it. kNotFound says what
// there is.
absl::StatusOr<RunInfo> SelectRun(const std::vector<RunInfo>& runs,
                                  absl::string_view selector);

// What to compare `run` with when nothing was said: the other run of its
// session; else the newest earlier run of the same machine, compiler and flags.
absl::StatusOr<RunInfo> SelectBase(const std::vector<RunInfo>& runs,
                                   const RunInfo& run);

}  // namespace berth::perf

#endif  // BERTH_TOOLS_PERF_HISTORY_H_
