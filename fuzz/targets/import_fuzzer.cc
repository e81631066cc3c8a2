// Importers of text: any bytes are read or refused with a message that names
// the file; what is read is a problem that the CSV reader accepts, unchanged.
#include <cstdint>
#include <iterator>
#include <string>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "allocator/base/rng.h"
#include "allocator/formats/csv.h"
#include "allocator/model/instance.h"
#include "fuzz/engine/oracle.h"
#include "fuzz/engine/target.h"
#include "tools/import/detect.h"
#include "tools/import/imported.h"
#include "tools/import/malloc_trace.h"
#include "tools/import/xla.h"

namespace berth::fuzz {
namespace {

void Check(const absl::StatusOr<import::Imported>& imported) {
  if (!imported.ok()) {
    ORACLE(absl::IsInvalidArgument(imported.status()),
           imported.status().message());
    ORACLE(absl::StartsWith(imported.status().message(), "f:"),
           imported.status().message());
    return;
  }
  const Instance& instance = std::get<Instance>(imported->content);
  const std::string csv = WriteCsv(ToCsvDocument(instance));
  const absl::StatusOr<CsvDocument> again = ReadCsv(csv, "csv", CsvOptions());
  ORACLE(again.ok(), again.status().message(), "\n", csv);
  ORACLE(again->instance == instance, csv);
}

void Run(absl::string_view input) {
  import::DetectSource(input);
  Check(import::FromLtrace(input, "f"));
  Check(import::FromHeaptrack(input, "f"));
  import::Options options;
  Check(import::FromXlaBufferInfo(input, "f", options));
  for (const import::Io io :
       {import::Io::kExternal, import::Io::kPinned, import::Io::kPlaced}) {
    options.io = io;
    Check(import::FromXlaAssignment(input, "f", options));
  }
}

// A few lines of one of the four.
std::string Fresh(Rng& rng) {
  const uint64_t kind = rng.Below(4);
  constexpr const char* kFirst[] = {
      "", "v 10400 3\n",
      "BufferAssignment:\nallocation 1: size 64, preallocated-temp:\n",
      "buffer_id,buffer_name,size,definition_time,end_time\n"};
  std::string text = kFirst[kind];
  std::string ranges = "\n  BufferLiveRange:\n";
  for (uint64_t i = 0, lines = rng.Below(8); i < lines; ++i) {
    const uint64_t name = rng.Below(4);
    const uint64_t from = rng.Below(6);
    switch (kind) {
      case 0:
        absl::StrAppend(&text,
                        rng.OneIn(2) ? absl::StrCat("malloc(", from, ") = 0x1")
                                     : "free(0x1",
                        name, rng.OneIn(9) ? "" : ") = <void>", "\n");
        break;
      case 1:
        absl::StrAppend(&text, rng.OneIn(2) ? "- 1" : "+ 8 1 1", name, "\n");
        break;
      case 2:
        absl::StrAppend(&text, " value: <", i, " n", name, " @0> (size=", from,
                        ",offset=", name, "): f32[]\n");
        absl::StrAppend(&ranges, "    n", name, "{}:", from, "-",
                        from + rng.Below(3), "\n");
        break;
      default:
        absl::StrAppend(&text, i, ",\"<", i, " n{", name, ",0} @0>\",", name,
                        ",", from, ",", from + rng.Below(3), "\n");
    }
  }
  return kind == 2 ? text + ranges : text;
}

const bool kRegistered = RegisterTarget({
    .name = "import_fuzzer",
    .summary = "importers of text: any bytes; what is read is a right problem",
    .max_bytes = 2048,
    .run = Run,
    .fresh = Fresh,
});

}  // namespace
}  // namespace berth::fuzz
