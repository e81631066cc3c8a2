#include "tests/simulate/random_cores.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/rng.h"
#include "allocator/model/program.h"
#include "tests/testing/program_builder.h"

namespace berth::testing {
namespace {

struct Tensor {
  std::string name;
  uint64_t bytes;
  int32_t owner;
  bool in_parts;     // every core writes a part; else the owner all of it
  int64_t written;   // phase
  int64_t last_use;  // phase, later
  bool reduced;      // a collective in place after the phase it is written in
};

struct Phase {
  bool begins_loop = false;
  bool ends_loop = false;
  bool pair = false;  // cores 0 and 1 meet in it
};

class Maker {
 public:
  explicit Maker(Rng& rng) : rng_(rng) {}

  Program Make() {
    num_cores_ = static_cast<int32_t>(rng_.Between(2, 4));
    MakePhases();
    MakeTensors();
    for (int32_t core = 0; core < num_cores_; ++core) MakeCore(core);
    return builder_.Build();
  }

 private:
  void MakePhases() {
    for (int64_t stage = rng_.Between(2, 5); stage > 0; --stage) {
      const bool loop = rng_.OneIn(3);
      const int64_t length = rng_.Between(1, 3);
      for (int64_t i = 0; i < length; ++i) {
        phases_.push_back(
            {loop && i == 0, loop && i == length - 1, rng_.OneIn(3)});
      }
    }
  }

  void MakeTensors() {
    const auto last = static_cast<int64_t>(phases_.size()) - 1;
    for (int64_t t = rng_.Between(2, 8); t > 0; --t) {
      Tensor tensor;
      tensor.name = absl::StrCat("s", t);
      tensor.bytes = 64 * static_cast<uint64_t>(rng_.Between(1, 200));
      tensor.owner = static_cast<int32_t>(rng_.Below(num_cores_));
      tensor.in_parts = rng_.OneIn(2);
      tensor.written = rng_.Between(0, last);
      tensor.last_use = std::min(last, tensor.written + rng_.Between(0, 2));
      tensor.reduced = rng_.OneIn(3);
      tensors_.push_back(tensor);
    }
  }

  void MakeCore(int32_t core) {
    builder_.Core(core);
    for (const Tensor& t : tensors_) {
      if (t.owner == core) {
        builder_.Shared(t.name, t.bytes);
      } else {
        builder_.SharedCopy(t.name, t.bytes, t.owner);
      }
    }
    num_private_ = 0;
    builder_.In("x", 4096);
    // Blocks: one before all, then one or more for each phase.
    builder_.Block("entry", {"p0"});
    for (size_t p = 0; p < phases_.size(); ++p) {
      MakePhase(core, static_cast<int64_t>(p));
    }
    builder_.Block(absl::StrCat("p", phases_.size()));
  }

  void MakePhase(int32_t core, int64_t p) {
    const std::string block = absl::StrCat("p", p);
    const std::string tail = absl::StrCat("p", p, "_tail");
    if (rng_.OneIn(3)) {
      const std::string left = absl::StrCat("p", p, "_left");
      const std::string right = absl::StrCat("p", p, "_right");
      builder_.Block(block, {left, right});
      Shared(core, p);
      builder_.Block(left, {tail});
      Private(core, p);
      builder_.Block(right, {tail});
      Private(core, p);
    } else {
      builder_.Block(block, {tail});
      Private(core, p);
      Shared(core, p);
    }
    std::vector<std::string> next = {absl::StrCat("p", p + 1)};
    if (phases_[p].ends_loop) {
      int64_t begin = p;
      while (!phases_[begin].begins_loop) --begin;
      next.push_back(absl::StrCat("p", begin));
    }
    builder_.Block(tail, next);
    if (phases_[p].pair && core < 2) builder_.Barrier(absl::StrCat("pair", p));
    Private(core, p);
    Reduce(p);
    builder_.Barrier(absl::StrCat("end", p));
  }

  // Defs and uses of shared tensors in a phase.
  void Shared(int32_t core, int64_t p) {
    for (const Tensor& t : tensors_) {
      if (p == t.written && t.in_parts) {
        const uint64_t part = t.bytes / static_cast<uint64_t>(num_cores_);
        const uint64_t from = part * static_cast<uint64_t>(core);
        const uint64_t to = core == num_cores_ - 1 ? t.bytes : from + part;
        builder_.Op(absl::StrCat("write_", t.name), {{t.name, from, to - from}},
                    {"x"});
      } else if (p == t.written && core == t.owner) {
        builder_.Op(absl::StrCat("write_", t.name), {t.name}, {"x"});
      } else if (p > t.written && p <= t.last_use && !rng_.OneIn(3)) {
        builder_.Op(absl::StrCat("read_", t.name), {}, {t.name});
      }
    }
  }

  void Reduce(int64_t p) {
    for (const Tensor& t : tensors_) {
      if (!t.reduced || t.written != p) continue;
      builder_.Barrier(absl::StrCat("whole_", t.name));
      builder_.Collective(absl::StrCat("reduce_", t.name), {t.name}, {t.name});
    }
  }

  // A few temporaries, each read once or twice.
  void Private(int32_t core, int64_t p) {
    for (uint64_t n = rng_.Below(4); n > 0; --n) {
      const std::string name = absl::StrCat("v", num_private_++);
      builder_.Loc(name, 64 * static_cast<uint64_t>(rng_.Between(1, 100)));
      builder_.Op(absl::StrCat("make_", name, "_", core, "_", p), {name},
                  {"x"});
      builder_.Op(absl::StrCat("read_", name), {}, {name});
      if (rng_.OneIn(2)) {
        builder_.Op(absl::StrCat("again_", name), {name}, {name});
      }
    }
  }

  Rng& rng_;
  ProgramBuilder builder_;
  int32_t num_cores_ = 0;
  std::vector<Phase> phases_;
  std::vector<Tensor> tensors_;
  int num_private_ = 0;
};

}  // namespace

Program RandomCores(Rng& rng) { return Maker(rng).Make(); }

}  // namespace berth::testing
