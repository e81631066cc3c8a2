#include "fuzz/engine/byte_mutator.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "allocator/base/rng.h"

namespace berth::fuzz {
namespace {

struct Piece {
  size_t begin = 0;
  size_t size = 0;
};

// A piece of at most 16 bytes. REQUIRES: text is not empty.
Piece SomePiece(const std::string& text, Rng& rng) {
  const size_t begin = rng.Below(text.size());
  const size_t most = std::min<size_t>(16, text.size() - begin);
  return {begin, 1 + static_cast<size_t>(rng.Below(most))};
}

void ChangeOnce(std::string& text, Rng& rng) {
  if (text.empty()) {
    text.push_back(static_cast<char>(rng.Next()));
    return;
  }
  char& byte = text[rng.Below(text.size())];
  const Piece piece = SomePiece(text, rng);
  const size_t to = rng.Below(text.size() + 1);
  switch (rng.Below(8)) {
    case 0:
      byte = static_cast<char>(byte ^ (1 << rng.Below(8)));
      return;
    case 1:
      byte = static_cast<char>(rng.Next());
      return;
    case 2:
      byte = static_cast<char>(byte + rng.Between(-4, 4));
      return;
    case 3:
      text.erase(piece.begin, piece.size);
      return;
    case 4:
      text.insert(to, text.substr(piece.begin, piece.size));
      return;
    case 5:
      text.insert(to, 1, static_cast<char>(rng.Next()));
      return;
    case 6: {
      const std::string copy = text.substr(piece.begin, piece.size);
      text.replace(std::min(to, text.size() - copy.size()), copy.size(), copy);
      return;
    }
    default:
      std::swap(byte, text[rng.Below(text.size())]);
  }
}

}  // namespace

std::string MutateBytes(absl::string_view input, size_t max_bytes, Rng& rng) {
  std::string text(input);
  for (uint64_t n = 1 + rng.Below(4); n > 0; --n) ChangeOnce(text, rng);
  if (text.size() > max_bytes) text.resize(max_bytes);
  return text;
}

std::string CrossBytes(absl::string_view a, absl::string_view b,
                       size_t max_bytes, Rng& rng) {
  std::string text(a.substr(0, rng.Below(a.size() + 1)));
  const absl::string_view end = b.substr(rng.Below(b.size() + 1));
  text.append(end.data(), end.size());
  if (text.size() > max_bytes) text.resize(max_bytes);
  return text;
}

std::string RandomBytes(size_t max_bytes, Rng& rng) {
  std::string text(rng.Below(1 + rng.Below(max_bytes + 1)), '\0');
  for (char& byte : text) byte = static_cast<char>(rng.Next());
  return text;
}

}  // namespace berth::fuzz
