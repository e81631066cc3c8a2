#include "tools/import/xla.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "allocator/base/int_math.h"
#include "allocator/base/status_macros.h"
#include "allocator/model/check_program.h"
#include "allocator/model/instance.h"
#include "allocator/model/options.h"
#include "tools/import/lines.h"
#include "tools/import/xla_value.h"

namespace berth::import {
namespace {

// The text dump, section by section.
class AssignmentReader {
 public:
  AssignmentReader(absl::string_view content, absl::string_view file,
                   const Options& options)
      : lines_(content, file), file_(file), options_(options) {}

  absl::StatusOr<Imported> Read() {
    absl::string_view line;
    while (lines_.Next(line)) {
      if (absl::StartsWith(line, "allocation ")) {
        BERTH_RETURN_IF_ERROR(ReadAllocation(line));
      } else if (absl::StartsWith(line, " value: ")) {
        BERTH_RETURN_IF_ERROR(ReadValue(line));
      } else if (absl::StartsWith(line, "  BufferLiveRange:")) {
        in_ranges_ = true;
      } else if (in_ranges_ && absl::StartsWith(line, "    ")) {
        BERTH_RETURN_IF_ERROR(ReadRange(line));
      } else {
        in_ranges_ = false;
      }
    }
    if (allocation_ < 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          file_,
          ": no allocations are given; put the live ranges and the "
          "...-buffer-assignment.txt that XLA writes beside them into "
          "one file"));
    }
    BERTH_RETURN_IF_ERROR(FindRanges());
    MergeAliases();
    return Finish();
  }

 private:
  enum class Part : uint8_t { kTemporary, kInOrOut, kLeftOut };

  // "allocation 2: 0x55d0, size 160, color 1, preallocated-temp:"
  absl::Status ReadAllocation(absl::string_view line) {
    const size_t colon = line.find(':');
    const size_t number = absl::string_view("allocation ").size();
    if (colon == absl::string_view::npos ||
        !absl::SimpleAtoi(line.substr(number, colon - number), &allocation_)) {
      return lines_.Fault("an allocation without number");
    }
    // A shape may hold any word; it stands between bars.
    const size_t bar = line.find('|');
    std::string words(line.substr(colon, bar - colon));
    if (bar != absl::string_view::npos) {
      absl::StrAppend(&words, line.substr(line.rfind('|')));
    }
    if (absl::StrContains(words, ", thread-local") ||
        absl::StrContains(words, ", constant")) {
      part_ = Part::kLeftOut;
    } else if (absl::StrContains(words, ", parameter ") ||
               absl::StrContains(words, ", maybe-live-out") ||
               absl::StrContains(words, ", output shape")) {
      part_ = Part::kInOrOut;
    } else {
      part_ = Part::kTemporary;
    }
    return absl::OkStatus();
  }

  // " value: <36 dot.1 @0> (size=4194304,offset=0): f32[4,512]{1,0}"
  absl::Status ReadValue(absl::string_view line) {
    if (allocation_ < 0) return lines_.Fault("a value outside an allocation");
    absl::ConsumePrefix(&line, " value: ");
    XlaValue value;
    const size_t size = line.find(" (size=");
    const size_t offset = line.find(",offset=", size);
    const size_t end = line.find("):", offset);
    if (size == absl::string_view::npos || offset == absl::string_view::npos ||
        end == absl::string_view::npos ||
        !ParseValueName(line.substr(0, size), value) ||
        !absl::SimpleAtoi(line.substr(size + 7, offset - size - 7),
                          &value.size_bytes) ||
        !absl::SimpleAtoi(line.substr(offset + 8, end - offset - 8),
                          &value.offset)) {
      return lines_.Fault("no value of the form <1 name @0> (size=1,offset=0)");
    }
    value.allocation = allocation_;
    value.in_or_out = part_ == Part::kInOrOut;
    if (part_ == Part::kLeftOut) {
      ++left_out_;
    } else if (value.color != options_.xla_color) {
      ++elsewhere_;
    } else if (value.in_or_out && options_.io == Io::kExternal) {
      ++external_;
    } else {
      values_.push_back(std::move(value));
    }
    return absl::OkStatus();
  }

  // "    dot.1{}:3-12"
  absl::Status ReadRange(absl::string_view line) {
    const absl::string_view text = absl::StripAsciiWhitespace(line);
    const size_t colon = text.rfind(':');
    // The dash between the two; the first may have a sign.
    const size_t dash = colon == absl::string_view::npos
                            ? absl::string_view::npos
                            : text.find('-', colon + 2);
    std::pair<int64_t, int64_t> range;
    if (dash == absl::string_view::npos ||
        !absl::SimpleAtoi(text.substr(colon + 1, dash - colon - 1),
                          &range.first) ||
        !absl::SimpleAtoi(text.substr(dash + 1), &range.second)) {
      return lines_.Fault("no live range of the form name{}:0-12");
    }
    ranges_.insert_or_assign(std::string(text.substr(0, colon)), range);
    return absl::OkStatus();
  }

  absl::Status FindRanges() {
    for (XlaValue& value : values_) {
      const std::string key = absl::StrContains(value.name, '{')
                                  ? value.name
                                  : absl::StrCat(value.name, "{}");
      const auto found = ranges_.find(key);
      if (found == ranges_.end()) {
        return absl::InvalidArgumentError(absl::StrCat(
            file_, ": value ", QuotedName(value.name), " has no live range",
            ranges_.empty() ? ": none are given; put the ...-live-range.txt "
                              "that XLA writes beside it behind the file"
                            : ""));
      }
      std::tie(value.lo, value.hi) = found->second;
    }
    return absl::OkStatus();
  }

  void MergeAliases() {
    const auto bytes = [](const XlaValue& v) {
      return std::tie(v.allocation, v.offset, v.size_bytes);
    };
    std::sort(values_.begin(), values_.end(),
              [&](const XlaValue& a, const XlaValue& b) {
                return std::tuple(bytes(a), a.lo, a.hi, a.id) <
                       std::tuple(bytes(b), b.lo, b.hi, b.id);
              });
    std::vector<XlaValue> merged;
    for (XlaValue& value : values_) {
      if (merged.empty() || bytes(merged.back()) != bytes(value) ||
          merged.back().hi < value.lo) {
        merged.push_back(std::move(value));
        continue;
      }
      merged.back().hi = std::max(merged.back().hi, value.hi);
    }
    num_merged_ = values_.size() - merged.size();
    std::sort(merged.begin(), merged.end(),
              [](const XlaValue& a, const XlaValue& b) { return a.id < b.id; });
    values_ = std::move(merged);
  }

  absl::StatusOr<Imported> Finish() {
    Instance instance;
    uint64_t next = 0;  // where the next pinned one goes
    for (const XlaValue& value : values_) {
      BERTH_ASSIGN_OR_RETURN(Buffer buffer, ToBuffer(value, file_));
      if (value.in_or_out && options_.io == Io::kPinned) {
        buffer.offset = next;
        const auto end = CheckedAdd(next, buffer.size);
        const auto page =
            end ? CheckedRoundUp(*end, kDramPageBytes) : std::nullopt;
        if (!page || *page > kNoCapacity) {
          return absl::InvalidArgumentError(
              absl::StrCat(file_, ": value ", QuotedName(buffer.id),
                           " cannot be pre-placed: its end passes 2^63"));
        }
        next = *page;
      }
      instance.buffers.push_back(std::move(buffer));
    }
    BERTH_RETURN_IF_ERROR(CheckUnique(instance, file_));
    Imported imported;
    imported.content = std::move(instance);
    auto& notes = imported.notes;
    notes.push_back("XLA's own offsets are left out");
    NoteCount(external_, " values that go in or out are left out; see --io",
              notes);
    NoteCount(left_out_, " constants and thread-local values are left out",
              notes);
    NoteCount(elsewhere_, " values of other memory spaces are left out", notes);
    NoteCount(num_merged_, " values became part of one with the same bytes",
              notes);
    return imported;
  }

  Lines lines_;
  absl::string_view file_;
  const Options& options_;
  int64_t allocation_ = -1;
  Part part_ = Part::kTemporary;
  bool in_ranges_ = false;
  std::vector<XlaValue> values_;
  absl::flat_hash_map<std::string, std::pair<int64_t, int64_t>> ranges_;
  size_t left_out_ = 0;
  size_t elsewhere_ = 0;
  size_t external_ = 0;
  size_t num_merged_ = 0;
};

}  // namespace

absl::StatusOr<Imported> FromXlaAssignment(absl::string_view content,
                                           absl::string_view file,
                                           const Options& options) {
  return AssignmentReader(content, file, options).Read();
}

}  // namespace berth::import
