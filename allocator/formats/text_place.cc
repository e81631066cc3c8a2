#include "allocator/formats/text_place.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "allocator/formats/field_path.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"

namespace berth {
namespace {

using google::protobuf::io::ArrayInputStream;
using google::protobuf::io::Tokenizer;

// The text has been parsed before, so there are no errors.
class NoErrors : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int, int, const std::string&) override {}
};

class Finder {
 public:
  Finder(absl::string_view content, absl::Span<const FieldStep> path)
      : stream_(content.data(), static_cast<int>(content.size())),
        tokens_(&stream_, &errors_),
        path_(path) {
    // As TextFormat sets it up.
    tokens_.set_comment_style(Tokenizer::SH_COMMENT_STYLE);
    tokens_.set_allow_f_after_float(true);
    tokens_.set_require_space_after_number(false);
    tokens_.set_allow_multiline_strings(true);
    tokens_.Next();
  }

  TextPlace Find() {
    while (!path_.empty() && !AtEnd() && !At('}') && !At('>')) {
      ReadField();
      while (At(';') || At(',')) tokens_.Next();
    }
    return place_;
  }

 private:
  bool AtEnd() { return tokens_.current().type == Tokenizer::TYPE_END; }
  bool At(char symbol) {
    return tokens_.current().text.size() == 1 &&
           tokens_.current().text[0] == symbol;
  }
  TextPlace Here() {
    return {tokens_.current().line, tokens_.current().column};
  }

  // Reads a field, or up to the first field of the message that is the next
  // step of the path.
  void ReadField() {
    const bool named =
        absl::string_view(tokens_.current().text) == path_[0].name;
    const TextPlace name_place = Here();
    tokens_.Next();
    if (At(':')) tokens_.Next();
    if (!At('[')) {
      ReadValue(named, name_place);
      return;
    }
    tokens_.Next();
    while (!AtEnd() && !At(']')) {
      if (ReadValue(named, Here())) return;
      if (At(',')) tokens_.Next();
    }
    tokens_.Next();
  }

  // True if the value was the next step of the path.
  bool ReadValue(bool named, TextPlace place) {
    const bool message = At('{') || At('<');
    if (named && (path_[0].index < 0 || seen_++ == path_[0].index)) {
      place_ = place;
      path_.remove_prefix(1);
      seen_ = 0;
      if (message) tokens_.Next();
      return true;
    }
    if (message) {
      SkipMessage();
    } else {
      SkipScalar();
    }
    return false;
  }

  void SkipMessage() {
    int64_t depth = 0;
    do {
      depth += (At('{') || At('<')) ? 1 : (At('}') || At('>')) ? -1 : 0;
      tokens_.Next();
    } while (depth > 0 && !AtEnd());
  }

  void SkipScalar() {
    if (At('-')) tokens_.Next();
    bool string = false;
    do {
      string = tokens_.current().type == Tokenizer::TYPE_STRING;
      tokens_.Next();
    } while (string && tokens_.current().type == Tokenizer::TYPE_STRING);
  }

  NoErrors errors_;
  ArrayInputStream stream_;
  Tokenizer tokens_;
  absl::Span<const FieldStep> path_;  // the steps that are still to be found
  int32_t seen_ = 0;  // fields of the step's name in the message under way
  TextPlace place_;
};

}  // namespace

TextPlace FindTextPlace(absl::string_view content,
                        absl::Span<const FieldStep> path) {
  return Finder(content, path).Find();
}

}  // namespace berth
