// Kind adversarial: perfect packings that are cut apart, so that the optimum is
// known and heuristics miss it.
//
// A rectangle of time x address is cut into pieces: by guillotine cuts, and by
// pinwheels (four pieces around a middle one), which no guillotine cut can
// make. The pieces fill the rectangle, so the load is its full height at every
// time, and the optimum is that height. After it in time stand gadgets of five
// locations, the smallest input that first fit by decreasing size gets wrong:
// [0,3) 2, [2,5) 2, [0,2) 3, [3,5) 3, [1,4) 1 in units of a sixth of the
// height. Their max load is 6 units, reached by the addresses 4, 1, 1, 3, 0;
// decreasing size needs 8.
//
// Heights are whole pages, so page rounding changes nothing.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "allocator/base/int_math.h"
#include "allocator/base/rng.h"
#include "allocator/gen/draws.h"
#include "allocator/gen/families.h"
#include "allocator/gen/function_builder.h"

namespace berth::gen {
namespace {

// Time [lower, upper) x so many pages.
struct Piece {
  int64_t lower = 0;
  int64_t upper = 0;
  int64_t pages = 0;

  int64_t length() const { return upper - lower; }
  int64_t area() const { return length() * pages; }
};

struct Shape {
  int64_t num_gadgets = 0;
  int64_t num_pieces = 0;  // of the rectangle
  int64_t length = 0;      // of the rectangle
  int64_t pages = 0;       // its height: the optimum
};

// About sqrt(size) locations are live at once, each twelve steps and pages
// wide.
Shape ShapeOf(const GenOptions& options) {
  int64_t root = 2;
  while ((root + 1) * (root + 1) <= options.size) ++root;
  Shape shape;
  shape.num_gadgets =
      options.size < 5 ? 0 : std::max<int64_t>(1, options.size / 50);
  shape.num_pieces = options.size - 5 * shape.num_gadgets;
  shape.length = shape.num_pieces == 0 ? 0 : 12 * root;
  shape.pages = 12 * root;  // a multiple of 6
  return shape;
}

class Cutter {
 public:
  Cutter(Rng& rng, const Shape& shape) : rng_(rng), shape_(shape) {}

  std::vector<Piece> Cut() {
    if (shape_.num_pieces == 0) return {};
    pieces_ = {{.lower = 0, .upper = shape_.length, .pages = shape_.pages}};
    while (missing() > 0) {
      const size_t index = PickLarge();
      const Piece whole = pieces_[index];
      if (whole.area() == 1) continue;
      std::swap(pieces_[index], pieces_.back());
      pieces_.pop_back();
      // One piece fewer for the moment: a pinwheel needs five.
      if (missing() >= 5 && whole.length() >= 3 && whole.pages >= 3 &&
          rng_.OneIn(3)) {
        Pinwheel(whole);
      } else {
        Guillotine(whole);
      }
    }
    return std::move(pieces_);
  }

 private:
  int64_t missing() const {
    return shape_.num_pieces - static_cast<int64_t>(pieces_.size());
  }

  // The largest of four: sizes stay within reach of each other, yet varied.
  size_t PickLarge() {
    size_t best = rng_.Below(pieces_.size());
    for (int i = 0; i < 3; ++i) {
      const size_t other = rng_.Below(pieces_.size());
      if (pieces_[other].area() > pieces_[best].area()) best = other;
    }
    return best;
  }

  // A cut of `extent` that leaves at least an eighth on each side.
  int64_t CutPoint(int64_t extent) {
    const int64_t margin = std::max<int64_t>(1, extent / 8);
    return rng_.Between(margin, extent - margin);
  }

  // Two cuts 0 < first < second < extent, one in each half.
  std::pair<int64_t, int64_t> TwoCutPoints(int64_t extent) {
    const int64_t half = extent / 2;
    const int64_t first = rng_.Between(std::max<int64_t>(1, extent / 6), half);
    return {first, rng_.Between(half + 1, extent - 1)};
  }

  void Guillotine(const Piece& whole) {
    // The longer side, seen from the whole rectangle, is cut more often.
    const uint64_t across =
        whole.length() > 1 ? whole.length() * shape_.pages : 0;
    const uint64_t up = whole.pages > 1 ? whole.pages * shape_.length : 0;
    Piece first = whole;
    Piece second = whole;
    if (rng_.Below(across + up) < across) {
      first.upper = second.lower = whole.lower + CutPoint(whole.length());
    } else {
      first.pages = CutPoint(whole.pages);
      second.pages = whole.pages - first.pages;
    }
    pieces_.push_back(first);
    pieces_.push_back(second);
  }

  void Pinwheel(const Piece& whole) {
    auto [left, right] = TwoCutPoints(whole.length());
    const auto [low, high] = TwoCutPoints(whole.pages);
    left += whole.lower;
    right += whole.lower;
    pieces_.push_back({whole.lower, left, high});                 // left
    pieces_.push_back({whole.lower, right, whole.pages - high});  // top
    pieces_.push_back({right, whole.upper, whole.pages - low});   // right
    pieces_.push_back({left, whole.upper, low});                  // bottom
    pieces_.push_back({left, right, high - low});                 // middle
  }

  Rng& rng_;
  const Shape shape_;
  std::vector<Piece> pieces_;
};

void AppendGadget(int64_t start, int64_t step, int64_t unit_pages,
                  std::vector<Piece>& pieces) {
  constexpr Piece kGadget[] = {
      {0, 3, 2}, {2, 5, 2}, {0, 2, 3}, {3, 5, 3}, {1, 4, 1}};
  for (const Piece& piece : kGadget) {
    pieces.push_back({.lower = start + piece.lower * step,
                      .upper = start + piece.upper * step,
                      .pages = piece.pages * unit_pages});
  }
}

// In an order that tells nothing of the packing.
std::vector<Piece> Draw(const GenOptions& options) {
  Rng rng(options.seed);
  const Shape shape = ShapeOf(options);
  std::vector<Piece> pieces = Cutter(rng, shape).Cut();
  int64_t start = shape.length;
  for (int64_t i = 0; i < shape.num_gadgets; ++i) {
    const int64_t step = rng.Between(1, 8);
    AppendGadget(start, step, shape.pages / 6, pieces);
    start += 5 * step;
  }
  Shuffle(rng, pieces);
  return pieces;
}

}  // namespace

uint64_t AdversarialOptimumBytes(const GenOptions& options) {
  // A lone piece or two may stand for the whole rectangle: still its height.
  return static_cast<uint64_t>(ShapeOf(options).pages) * kDramPageBytes;
}

// One instruction per time step: it defines what begins there and reads what
// ends there. A piece of one step is a dead def, which occupies that step.
Program AdversarialProgram(const GenOptions& options) {
  const std::vector<Piece> pieces = Draw(options);
  FunctionBuilder builder("main");
  builder.AddBlock("entry");
  builder.ReserveLocations(pieces.size());
  int64_t num_steps = 0;
  for (const Piece& piece : pieces)
    num_steps = std::max(num_steps, piece.upper);
  std::vector<std::vector<int32_t>> begins(num_steps), ends(num_steps);
  for (const Piece& piece : pieces) {
    const int32_t location = builder.AddLocation(
        absl::StrCat("p", builder.num_dram()), Usage::kIntermediate,
        static_cast<uint64_t>(piece.pages), kDramPageBytes);
    begins[piece.lower].push_back(location);
    if (piece.length() > 1) ends[piece.upper - 1].push_back(location);
  }
  for (int64_t t = 0; t < num_steps; ++t) {
    Instruction& step = builder.Emit(InstructionKind::kCompute, "");
    for (int32_t l : begins[t]) step.defs.push_back({.location = l});
    for (int32_t l : ends[t]) step.uses.push_back({.location = l});
  }
  std::vector<Function> functions;
  functions.push_back(std::move(builder).Build());
  return OneCore(Describe(options), std::move(functions));
}

Instance AdversarialInstance(const GenOptions& options) {
  Instance instance;
  for (const Piece& piece : Draw(options)) {
    Buffer& buffer = instance.buffers.emplace_back();
    buffer.id = absl::StrCat("p", instance.buffers.size() - 1);
    buffer.lower = piece.lower;
    buffer.upper = piece.upper;
    buffer.size = static_cast<uint64_t>(piece.pages) * kDramPageBytes;
  }
  return instance;
}

}  // namespace berth::gen
