// Appends to an IdList through a bare pointer.
//
// While an Appender lives, the list's size is its capacity and its tail is
// unwritten; Finish() cuts it back. Room(n) must be called before n elements
// (plus kFilterSlack) are written at end().
#ifndef BERTH_ALLOCATOR_INTERFERENCE_APPEND_H_
#define BERTH_ALLOCATOR_INTERFERENCE_APPEND_H_

#include <cstddef>
#include <cstdint>

#include "allocator/interference/filter.h"
#include "allocator/interference/oracle.h"

namespace berth {

class Appender {
 public:
  explicit Appender(IdList* out) : out_(out), end_(out->size()) {
    out_->resize(out_->capacity());
  }
  Appender(const Appender&) = delete;
  Appender& operator=(const Appender&) = delete;
  ~Appender() { out_->resize(end_); }

  // Where n elements may be written now.
  int32_t* Room(int64_t n) {
    const size_t need = end_ + static_cast<size_t>(n + kFilterSlack);
    if (need > out_->size()) Grow(need);
    return out_->data() + end_;
  }
  // `end`: one past the last element written.
  void AdvanceTo(const int32_t* end) {
    end_ = static_cast<size_t>(end - out_->data());
  }

 private:
  void Grow(size_t need) {
    out_->resize(need + need / 2);
    out_->resize(out_->capacity());
  }

  IdList* out_;
  size_t end_;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_INTERFERENCE_APPEND_H_
