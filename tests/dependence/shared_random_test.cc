// shared_dependence.h against a plain twin that goes byte by byte and path by
// path.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "allocator/base/rng.h"
#include "allocator/dependence/dependence.h"
#include "allocator/dependence/forward_graph.h"
#include "allocator/dependence/shared_dependence.h"
#include "allocator/model/intervals.h"
#include "allocator/model/program.h"
#include "gtest/gtest.h"
#include "tests/dependence/random_function.h"

namespace berth {
namespace {

// Core, flat index.
using Place = std::pair<int32_t, int32_t>;

struct Step {
  int32_t flat;
  bool write;
};

// How one core uses one byte of one tensor.
struct ByteUse {
  std::set<int32_t> first_writes;
  std::set<int32_t> last_writes;
  std::set<int32_t> last_reads;
  bool always_written = true;
};

// Walks every path of a function, blocks as often as they are met.
class PlainByte {
 public:
  PlainByte(const Function& function, int32_t location, uint64_t byte)
      : function_(function), graph_(function) {
    int32_t flat = 0;
    for (const Block& block : function.blocks) {
      std::vector<Step>& steps = steps_.emplace_back();
      for (const Instruction& i : block.instructions) {
        const auto touches = [&](const Access& access) {
          if (access.location != location) return false;
          if (access.extent_bytes == 0) return true;
          return access.offset_bytes <= byte &&
                 byte < access.offset_bytes + access.extent_bytes;
        };
        if (std::any_of(i.uses.begin(), i.uses.end(), touches)) {
          steps.push_back({flat, false});
        }
        if (std::any_of(i.defs.begin(), i.defs.end(), touches)) {
          steps.push_back({flat, true});
        }
        ++flat;
      }
    }
  }

  ByteUse Use() {
    for (const int32_t block : graph_.order()) {
      if (graph_.Predecessors(block).empty()) Walk(block, -1, {});
    }
    return use_;
  }

 private:
  // `writer` and `readers` since it on the way here.
  void Walk(int32_t block, int32_t writer, std::set<int32_t> readers) {
    for (const Step& step : steps_[block]) {
      if (!step.write) {
        readers.insert(step.flat);
        continue;
      }
      if (writer < 0) use_.first_writes.insert(step.flat);
      writer = step.flat;
      readers.clear();
    }
    bool end = true;
    for (const int32_t next : function_.blocks[block].successors) {
      if (graph_.LeadsBack(block, next)) continue;
      end = false;
      Walk(next, writer, readers);
    }
    if (!end) return;
    if (writer >= 0) {
      use_.last_writes.insert(writer);
    } else {
      use_.always_written = false;
    }
    use_.last_reads.insert(readers.begin(), readers.end());
  }

  const Function& function_;
  const ForwardGraph graph_;
  std::vector<std::vector<Step>> steps_;
  ByteUse use_;
};

using Edge = std::tuple<Place, Place, DependenceKind>;  // later, earlier

// Tensor l is location l of every core, in phase l.
std::set<Edge> PlainEdges(const Program& program) {
  std::set<Edge> edges;
  const auto& locations = program.modules[0].functions[0].locations;
  for (uint64_t byte = 0; byte < 64; ++byte) {
    std::set<Place> writers;
    std::set<Place> readers;
    for (size_t l = 0; l < locations.size(); ++l) {
      const Location& location = locations[l];
      if (location.space != Space::kShared || !location.address) continue;
      if (byte < *location.address ||
          byte >= *location.address + location.byte_size()) {
        continue;
      }
      std::vector<ByteUse> uses;
      for (const Module& module : program.modules) {
        uses.push_back(PlainByte(module.functions[0], static_cast<int32_t>(l),
                                 byte - *location.address)
                           .Use());
      }
      bool ends = false;
      for (size_t c = 0; c < uses.size(); ++c) {
        const auto core = static_cast<int32_t>(c);
        ends = ends || uses[c].always_written;
        for (const int32_t flat : uses[c].first_writes) {
          const Place later = {core, flat};
          for (const Place& w : writers) {
            if (w.first == core) continue;
            edges.emplace(later, w, DependenceKind::kOutput);
          }
          for (const Place& r : readers) {
            if (r.first == core) continue;
            edges.emplace(later, r, DependenceKind::kAnti);
          }
        }
      }
      if (ends) {
        writers.clear();
        readers.clear();
      }
      for (size_t c = 0; c < uses.size(); ++c) {
        const auto core = static_cast<int32_t>(c);
        for (const int32_t w : uses[c].last_writes) writers.emplace(core, w);
        for (const int32_t r : uses[c].last_reads) readers.emplace(core, r);
      }
    }
  }
  return edges;
}

TEST(CrossDependencesRandom, EqualThePlainTwin) {
  size_t total = 0;
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    Rng rng(seed);
    Program program;
    const auto num_cores = static_cast<int32_t>(rng.Between(2, 3));
    for (int32_t core = 0; core < num_cores; ++core) {
      Module& module = program.modules.emplace_back();
      module.core = core;
      if (core == 0) {
        module.functions.push_back(testing::RandomFunction(6, 3, rng));
        for (Location& location : module.functions[0].locations) {
          location.space = Space::kShared;
        }
        continue;
      }
      // The same tensors, other code.
      Function function = program.modules[0].functions[0];
      testing::MakeRandomBlocks(6, 3, rng, function);
      module.functions.push_back(std::move(function));
    }
    IntervalTable phases;
    for (int32_t l = 0; l < 8; ++l) phases.Append({{l, l}});
    const auto found = FindCrossDependences(
        program, [](int32_t, int32_t, int32_t location) { return location; },
        phases);
    std::set<Edge> edges;
    found.ForEach([&](const CrossDependence& e) {
      edges.emplace(Place(e.later.core, e.later.flat),
                    Place(e.earlier.core, e.earlier.flat), e.kind);
    });
    EXPECT_EQ(static_cast<int64_t>(edges.size()), found.size());
    ASSERT_EQ(edges, PlainEdges(program)) << "seed " << seed;
    total += edges.size();
  }
  EXPECT_GT(total, 3000u);
}

}  // namespace
}  // namespace berth
