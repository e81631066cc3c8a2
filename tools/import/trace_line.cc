#include "tools/import/trace_line.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "allocator/base/int_math.h"

namespace berth::import {
namespace {

using Function = TraceLine::Function;
using Kind = TraceLine::Kind;

struct Known {
  absl::string_view name;
  Function function;
  int size_argument;    // its place, -1: none
  int factor_argument;  // multiplies it, -1: none
};
constexpr Known kKnown[] = {
    {"malloc", Function::kAllocate, 0, -1},
    {"calloc", Function::kAllocate, 0, 1},
    {"valloc", Function::kAllocate, 0, -1},
    {"pvalloc", Function::kAllocate, 0, -1},
    {"memalign", Function::kAllocate, 1, -1},
    {"aligned_alloc", Function::kAllocate, 1, -1},
    // operator new, of one and of many, and what it is called with more.
    {"_Znwm", Function::kAllocate, 0, -1},
    {"_Znam", Function::kAllocate, 0, -1},
    {"_ZnwmSt11align_val_t", Function::kAllocate, 0, -1},
    {"_ZnamSt11align_val_t", Function::kAllocate, 0, -1},
    {"_ZnwmRKSt9nothrow_t", Function::kAllocate, 0, -1},
    {"_ZnamRKSt9nothrow_t", Function::kAllocate, 0, -1},
    {"operator new", Function::kAllocate, 0, -1},  // ltrace -C
    {"operator new[]", Function::kAllocate, 0, -1},
    {"realloc", Function::kReallocate, 1, -1},
    {"reallocarray", Function::kReallocate, 1, 2},
    {"free", Function::kFree, -1, -1},
    {"cfree", Function::kFree, -1, -1},
    {"_ZdlPv", Function::kFree, -1, -1},
    {"_ZdaPv", Function::kFree, -1, -1},
    {"_ZdlPvm", Function::kFree, -1, -1},
    {"_ZdaPvm", Function::kFree, -1, -1},
    {"_ZdlPvSt11align_val_t", Function::kFree, -1, -1},
    {"_ZdaPvSt11align_val_t", Function::kFree, -1, -1},
    {"_ZdlPvmSt11align_val_t", Function::kFree, -1, -1},
    {"_ZdaPvmSt11align_val_t", Function::kFree, -1, -1},
    {"operator delete", Function::kFree, -1, -1},
    {"operator delete[]", Function::kFree, -1, -1},
};

const Known* FindKnown(absl::string_view name) {
  for (const Known& known : kKnown) {
    if (known.name == name) return &known;
  }
  return nullptr;
}

bool IsNameChar(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// The name that ends where `end` is, "malloc", and moves `end` behind it. Of
// "operator new(unsigned long)" the first parentheses are of its name.
absl::string_view NameBefore(absl::string_view line, size_t& end) {
  size_t begin = end;
  while (begin > 0 && IsNameChar(line[begin - 1])) --begin;
  const absl::string_view name = line.substr(begin, end - begin);
  const size_t start = line.substr(0, end).rfind("operator ");
  if (start == absl::string_view::npos) return name;
  const absl::string_view whole = line.substr(start, end - start);
  const size_t types = line.find(')', end);
  if (FindKnown(whole) == nullptr || types == absl::string_view::npos) {
    return name;
  }
  end = types + 1;
  return whole;
}

// "24", "0x18", "nil".
bool ParseNumber(absl::string_view text, uint64_t& value) {
  text = absl::StripAsciiWhitespace(text);
  if (text == "nil" || text == "NULL") {
    value = 0;
    return true;
  }
  const int base = absl::ConsumePrefix(&text, "0x") ? 16 : 10;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value, base);
  return result.ec == std::errc() && result.ptr == end;
}

// The argument at `place` of "1, 24, 0x7ffc".
bool ParseArgument(absl::string_view arguments, int place, uint64_t& value) {
  for (; place > 0; --place) {
    const size_t comma = arguments.find(',');
    if (comma == absl::string_view::npos) return false;
    arguments.remove_prefix(comma + 1);
  }
  return ParseNumber(arguments.substr(0, arguments.find(',')), value);
}

// "= 0x5581", what follows a closing parenthesis.
bool ParseResult(absl::string_view text, TraceLine& line) {
  text = absl::StripAsciiWhitespace(text);
  if (!absl::ConsumePrefix(&text, "=")) return false;
  text = absl::StripLeadingAsciiWhitespace(text);
  if (line.function == Function::kFree) return true;  // <void>
  return ParseNumber(text.substr(0, text.find(' ')), line.result_address);
}

bool ParseArguments(absl::string_view arguments, const Known& known,
                    TraceLine& line) {
  if (known.function != Function::kAllocate &&
      !ParseArgument(arguments, 0, line.address)) {
    return false;
  }
  if (known.size_argument < 0) return true;
  if (!ParseArgument(arguments, known.size_argument, line.size_bytes)) {
    return false;
  }
  if (known.factor_argument < 0) return true;
  uint64_t factor = 0;
  if (!ParseArgument(arguments, known.factor_argument, factor)) return false;
  const auto product = CheckedMul(line.size_bytes, factor);
  if (product) line.size_bytes = *product;
  return product.has_value();
}

// "[pid 7] " and "7 " name a thread; times of day and library names do not.
absl::string_view ThreadOf(absl::string_view text) {
  if (absl::StartsWith(text, "[pid ")) {
    return text.substr(0, text.find(']'));
  }
  const size_t digits = text.find_first_not_of("0123456789");
  if (digits == absl::string_view::npos || text[digits] != ' ') return {};
  return text.substr(0, digits);
}

TraceLine ParseEnd(absl::string_view line, size_t begin) {
  TraceLine parsed;
  absl::string_view rest = line.substr(begin + 5);  // "<... "
  const size_t name =
      rest.find(absl::StartsWith(rest, "operator ") ? '(' : ' ');
  const Known* known = FindKnown(rest.substr(0, name));
  if (known == nullptr) return parsed;
  parsed.thread = ThreadOf(line);
  parsed.function = known->function;
  const size_t close = rest.rfind(')');
  const bool whole = close != absl::string_view::npos &&
                     ParseResult(rest.substr(close + 1), parsed);
  parsed.kind = whole ? Kind::kEnd : Kind::kBroken;
  return parsed;
}

}  // namespace

TraceLine ParseTraceLine(absl::string_view line) {
  const size_t resumed = line.find("<... ");
  if (resumed != absl::string_view::npos) return ParseEnd(line, resumed);
  TraceLine parsed;
  size_t open = line.find('(');
  if (open == absl::string_view::npos) return parsed;
  const Known* known = FindKnown(NameBefore(line, open));
  if (known == nullptr || open >= line.size()) return parsed;
  parsed.thread = ThreadOf(line);
  parsed.function = known->function;
  absl::string_view rest = line.substr(open + 1);
  const size_t unfinished = rest.find("<unfinished");
  const size_t close = rest.find(')');
  if (unfinished != absl::string_view::npos) {
    parsed.kind = ParseArguments(rest.substr(0, unfinished), *known, parsed)
                      ? Kind::kBegin
                      : Kind::kBroken;
    return parsed;
  }
  // The program ended in this call.
  if (absl::StrContains(rest, "<no return")) return parsed;
  const bool whole = close != absl::string_view::npos &&
                     ParseArguments(rest.substr(0, close), *known, parsed) &&
                     ParseResult(rest.substr(close + 1), parsed);
  parsed.kind = whole ? Kind::kCall : Kind::kBroken;
  return parsed;
}

}  // namespace berth::import
