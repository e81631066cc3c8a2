#include "tools/import/malloc_trace.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "allocator/base/int_math.h"
#include "allocator/base/status_macros.h"
#include "allocator/model/instance.h"
#include "allocator/model/options.h"
#include "tools/import/lines.h"
#include "tools/import/trace_line.h"

namespace berth::import {
namespace {

// Buffers from events; each call is one event.
class Lifetimes {
 public:
  // False: the size passes what a CSV holds, or there are too many.
  bool Allocate(uint64_t address, uint64_t size_bytes) {
    const bool fits = Start(address, size_bytes);
    ++now_;
    return fits;
  }

  void Free(uint64_t address) {
    if (!End(address, now_)) ++unknown_frees_;
    ++now_;
  }

  bool Reallocate(uint64_t from, uint64_t to, uint64_t size_bytes) {
    // A move copies: the old block is there still when the new one is.
    if (from != 0 && !End(from, from == to ? now_ : now_ + 1)) {
      ++unknown_frees_;
    }
    return to == 0 ? (++now_, true) : Allocate(to, size_bytes);
  }

  // Of allocations of one kind, where addresses are not known.
  bool AllocateKind(uint64_t kind, uint64_t size_bytes) {
    live_of_kind_[kind].push_back(next_token_);
    return Allocate(next_token_++, size_bytes);
  }
  void FreeKind(uint64_t kind) {
    std::vector<uint64_t>& live = live_of_kind_[kind];
    if (live.empty()) {
      Free(0);
      return;
    }
    const uint64_t youngest = live.back();
    live.pop_back();
    Free(youngest);
  }

  Imported Finish() && {
    Imported imported;
    for (const auto& [address, buffer] : live_) {
      instance_.buffers[buffer].upper = now_;
    }
    auto& notes = imported.notes;
    notes.push_back(absl::StrCat(now_, " events; ", live_.size(),
                                 " allocations were never freed and live to "
                                 "the end"));
    if (unknown_frees_ > 0) {
      notes.push_back(absl::StrCat(
          unknown_frees_, " frees of what the trace did not allocate"));
    }
    if (lost_frees_ > 0) {
      notes.push_back(absl::StrCat(
          lost_frees_, " allocations ended unseen: their address came again"));
    }
    imported.content = std::move(instance_);
    return imported;
  }

 private:
  bool Start(uint64_t address, uint64_t size_bytes) {
    const size_t index = instance_.buffers.size();
    if (size_bytes > kNoCapacity || index + 1 >= size_t{kMaxCount}) {
      return false;
    }
    const auto [at, is_new] =
        live_.emplace(address, static_cast<int32_t>(index));
    if (!is_new) {
      // Its free was not traced; it is over by now.
      instance_.buffers[at->second].upper = now_;
      at->second = static_cast<int32_t>(index);
      ++lost_frees_;
    }
    instance_.buffers.push_back({.id = absl::StrCat("a", index),
                                 .lower = now_,
                                 .upper = now_ + 1,
                                 .size = size_bytes});
    return true;
  }

  bool End(uint64_t address, int64_t upper) {
    const auto found = live_.find(address);
    if (found == live_.end()) return false;
    instance_.buffers[found->second].upper = upper;
    live_.erase(found);
    return true;
  }

  Instance instance_;
  int64_t now_ = 0;
  absl::flat_hash_map<uint64_t, int32_t> live_;  // address -> buffer
  absl::flat_hash_map<uint64_t, std::vector<uint64_t>> live_of_kind_;
  uint64_t next_token_ = 1;
  int64_t unknown_frees_ = 0;
  int64_t lost_frees_ = 0;
};

constexpr char kTooMuch[] =
    "a size passes 2^63 - 1, or there are 2^31 - 1 allocations";

bool ParseHex(absl::string_view text, uint64_t& value) {
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value, 16);
  return result.ec == std::errc() && result.ptr == end;
}

// "+ 64 8 55d2" as {0x64, 0x8, 0x55d2}; false for anything but numbers.
bool ParseHexFields(absl::string_view line, std::vector<uint64_t>& fields) {
  fields.clear();
  for (const absl::string_view text :
       absl::StrSplit(line.substr(1), ' ', absl::SkipEmpty())) {
    if (!ParseHex(text, fields.emplace_back())) return false;
  }
  return !fields.empty();
}

void Apply(const TraceLine& call, Lifetimes& lifetimes, bool& fits) {
  switch (call.function) {
    case TraceLine::Function::kAllocate:
      if (call.result_address != 0) {
        fits = lifetimes.Allocate(call.result_address, call.size_bytes);
      }
      return;
    case TraceLine::Function::kReallocate:
      // Nothing happened if it failed, but for a size of 0, which frees.
      if (call.result_address != 0 || call.size_bytes == 0) {
        fits = lifetimes.Reallocate(call.address, call.result_address,
                                    call.size_bytes);
      }
      return;
    case TraceLine::Function::kFree:
      if (call.address != 0) lifetimes.Free(call.address);
      return;
  }
}

}  // namespace

absl::StatusOr<Imported> FromHeaptrack(absl::string_view content,
                                       absl::string_view file) {
  Lines lines(content, file);
  Lifetimes lifetimes;
  std::vector<uint64_t> sizes;  // of the kinds, "a" lines
  std::vector<uint64_t> fields;
  absl::string_view line;
  while (lines.Next(line)) {
    const char what = line.empty() ? '#' : line[0];
    if (what != '+' && what != '-' && what != 'a') continue;
    if (!ParseHexFields(line, fields)) {
      return lines.Fault("no event of heaptrack: hexadecimal fields expected");
    }
    bool fits = true;
    if (what == 'a') {
      sizes.push_back(fields[0]);
    } else if (what == '-') {
      // Kinds are small numbers; with none declared these are addresses.
      sizes.empty() ? lifetimes.Free(fields[0]) : lifetimes.FreeKind(fields[0]);
    } else if (fields.size() == 3) {
      fits = lifetimes.Allocate(fields[2], fields[0]);
    } else if (fields.size() == 1 && fields[0] < sizes.size()) {
      fits = lifetimes.AllocateKind(fields[0], sizes[fields[0]]);
    } else {
      return lines.Fault(
          "neither an allocation with size, stack and address nor one of a "
          "kind that was declared before");
    }
    if (!fits) return lines.Fault(kTooMuch);
  }
  return std::move(lifetimes).Finish();
}

absl::StatusOr<Imported> FromLtrace(absl::string_view content,
                                    absl::string_view file) {
  Lines lines(content, file);
  Lifetimes lifetimes;
  // Calls that a thread has begun, the innermost last.
  absl::flat_hash_map<std::string, std::vector<TraceLine>> begun;
  absl::string_view text;
  while (lines.Next(text)) {
    TraceLine line = ParseTraceLine(text);
    bool fits = true;
    switch (line.kind) {
      case TraceLine::Kind::kOther:
        break;
      case TraceLine::Kind::kBroken:
        return lines.Fault("a call of malloc or free that cannot be read");
      case TraceLine::Kind::kCall:
        Apply(line, lifetimes, fits);
        break;
      case TraceLine::Kind::kBegin:
        begun[line.thread].push_back(line);
        break;
      case TraceLine::Kind::kEnd: {
        std::vector<TraceLine>& stack = begun[line.thread];
        if (stack.empty() || stack.back().function != line.function) {
          return lines.Fault("the end of a call that did not begin");
        }
        stack.back().result_address = line.result_address;
        Apply(stack.back(), lifetimes, fits);
        stack.pop_back();
        break;
      }
    }
    if (!fits) return lines.Fault(kTooMuch);
  }
  return std::move(lifetimes).Finish();
}

}  // namespace berth::import
