#include "allocator/placement/local_order.h"

#include <utility>

#include "allocator/placement/timed_list.h"

namespace berth {
namespace {

// The windows of a layout, by stretches of about the same bytes.
class Stretches {
 public:
  Stretches(const WindowLayout& layout, size_t bytes)
      : windows_(layout.windows()) {
    size_t held = bytes;
    for (int32_t window = 0; window < windows_.num_windows(); ++window) {
      if (held >= bytes) {
        begin_.push_back(windows_.First(window));
        held = 0;
      }
      held += TimedList<uint32_t>::Bytes(layout.list_entries()[window]);
      of_window_.push_back(size() - 1);
    }
  }

  int32_t size() const { return static_cast<int32_t>(begin_.size()); }
  int32_t Of(int32_t time) const { return of_window_[windows_.WindowOf(time)]; }
  // The time after the last of a stretch.
  int32_t End(int32_t stretch) const {
    return stretch + 1 < size() ? begin_[stretch + 1]
                                : windows_.Last(windows_.num_windows() - 1) + 1;
  }

 private:
  const TimeWindows& windows_;
  std::vector<int32_t> begin_;      // first time of each
  std::vector<int32_t> of_window_;  // the stretch of each window
};

// A node of the batch at hand, with its first and last time.
struct Member {
  int32_t place = 0;  // in the batch
  int32_t node = 0;
  int32_t lo = 0;
  int32_t hi = 0;
};

struct Arrival {
  Member member;
  int32_t stretch = 0;  // that it begins in
};

class Rearranger {
 public:
  Rearranger(const Problem& problem, const Stretches& stretches)
      : problem_(problem), stretches_(stretches) {}

  // Appends the nodes of `batch` to `local`.
  void Append(absl::Span<const int32_t> batch, std::vector<int32_t>& local) {
    // Of as many as this for each node. One costs about 5 ns.
    constexpr size_t kMaxPutOff = 4;
    local_ = &local;
    Collect(batch);
    size_t left = kMaxPutOff * batch.size();
    for (int32_t stretch = 0; stretch < stretches_.size(); ++stretch) {
      PassOver(stretch);
      if (put_off_.size() > left) {
        AppendRest(batch, stretch);
        return;
      }
      left -= put_off_.size();
    }
  }

 private:
  // Fills members_ and begin_. In three loops: the first waits for memory, and
  // has no branches to guess meanwhile.
  void Collect(absl::Span<const int32_t> batch) {
    in_order_.resize(batch.size());
    const IntervalTable& live = problem_.live;
    for (size_t i = 0; i < batch.size(); ++i) {
      const int32_t node = batch[i];
      in_order_[i].member = {static_cast<int32_t>(i), node,
                             live.values[live.offsets[node]].lo,
                             live.values[live.offsets[node + 1] - 1].hi};
    }
    begin_.assign(stretches_.size() + 2, 0);
    for (Arrival& arrival : in_order_) {
      arrival.stretch = stretches_.Of(arrival.member.lo);
      ++begin_[arrival.stretch + 2];
    }
    for (size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    members_.resize(batch.size());
    for (const Arrival& arrival : in_order_) {
      members_[begin_[arrival.stretch + 1]++] = arrival.member;
    }
    put_off_.clear();
  }

  void PassOver(int32_t stretch) {
    edge_ = stretches_.End(stretch);
    std::swap(put_off_, earlier_);
    put_off_.clear();
    auto next = earlier_.begin();
    for (int32_t i = begin_[stretch]; i < begin_[stretch + 1]; ++i) {
      while (next != earlier_.end() && next->place < members_[i].place) {
        Take(*next++);
      }
      Take(members_[i]);
    }
    while (next != earlier_.end()) Take(*next++);
  }

  void Take(const Member& member) {
    if (member.hi < edge_) {
      local_->push_back(member.node);
    } else {
      edge_ = std::min(edge_, member.lo);
      put_off_.push_back(member);
    }
  }

  // Everything that was put off in this stretch or begins after it.
  void AppendRest(absl::Span<const int32_t> batch, int32_t stretch) {
    std::vector<bool> left(batch.size(), false);
    for (const Member& member : put_off_) left[member.place] = true;
    for (size_t i = begin_[stretch + 1]; i < members_.size(); ++i) {
      left[members_[i].place] = true;
    }
    for (size_t place = 0; place < batch.size(); ++place) {
      if (left[place]) local_->push_back(batch[place]);
    }
  }

  const Problem& problem_;
  const Stretches& stretches_;
  std::vector<int32_t>* local_ = nullptr;
  std::vector<Arrival> in_order_;
  std::vector<Member> members_;  // by stretch, then in order
  std::vector<int32_t> begin_;   // where those of each stretch begin
  std::vector<Member> put_off_;  // in order
  std::vector<Member> earlier_;  // the same, of the stretch before
  int32_t edge_ = 0;
};

}  // namespace

LocalOrder::LocalOrder(const WindowLayout& layout,
                       absl::Span<const int32_t> order,
                       const LocalOrderCut& cut)
    : LocalOrder(order) {
  size_t bytes = 0;
  for (const uint32_t entries : layout.list_entries()) {
    bytes += TimedList<uint32_t>::Bytes(entries);
  }
  if (bytes < cut.least_bytes) return;
  const Stretches stretches(layout, cut.stretch_bytes);
  batch_ = std::max(order.size() / cut.batches, cut.least_batch);
  local_.reserve(order.size());
  Rearranger rearranger(layout.problem(), stretches);
  for (size_t from = 0; from < order.size(); from += batch_) {
    rearranger.Append(order.subspan(from, batch_), local_);
  }
}

}  // namespace berth
