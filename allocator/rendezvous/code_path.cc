#include "allocator/rendezvous/code_path.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "allocator/model/program.h"

namespace berth {
namespace {

// A strongly connected component of a region, and what the points of it need.
struct Component {
  std::vector<int32_t> blocks;
  int32_t header = -1;  // a block that is entered from outside of it
  int32_t entries = 0;  // number of such blocks
  bool is_loop = false;
  bool marked = false;
  bool ends = false;      // a path through the region may end here
  bool leaves = false;    // an edge from here leaves the region
  int32_t farthest = -1;  // last component that an edge from here leads to

  // Of the components before this one.
  bool passed_by = false;      // an edge leads over this one, or a path ends
  bool may_be_missed = false;  // the region may be left
};

// A function, or a loop of it without the edges back to its header.
struct Region {
  int32_t id = 0;
  int32_t header = 0;
  int32_t begin_point = -1;  // kLoopBegin; -1: the function
  int32_t scope = -1;        // of what the region itself cannot miss
  int32_t depth = 0;

  bool is_loop() const { return begin_point >= 0; }
};

class PathFinder {
 public:
  PathFinder(const Function& function, const std::vector<Mark>& marks,
             bool lenient)
      : function_(function), marks_(marks), lenient_(lenient) {
    const size_t blocks = function.blocks.size();
    mark_begins_.assign(blocks + 1, 0);
    for (const Mark& mark : marks) ++mark_begins_[mark.block + 1];
    int32_t flat = 0;
    for (size_t b = 0; b < blocks; ++b) {
      mark_begins_[b + 1] += mark_begins_[b];
      path_.block_starts.push_back(flat);
      flat += static_cast<int32_t>(function.blocks[b].instructions.size());
    }
    path_.block_starts.push_back(flat);
    path_.points_before.assign(blocks, -1);
    path_.points_after.assign(blocks, -1);
    region_of_.assign(blocks, 0);
    visited_in_.assign(blocks, -1);
    closed_in_.assign(blocks, -1);
    entered_in_.assign(blocks, -1);
    number_.assign(blocks, 0);
    component_of_.assign(blocks, 0);
  }

  std::variant<CodePath, PathFault> Find() {
    if (!function_.blocks.empty()) Walk({});
    if (!fault_ && !lenient_) {
      for (const Mark& mark : marks_) {
        if (path_.points_before[mark.block] >= 0) continue;
        fault_ = {PathFault::Kind::kUnreachable, mark.flat};
        break;
      }
    }
    if (fault_) return *fault_;
    return std::move(path_);
  }

 private:
  bool Marked(int32_t block) const {
    return mark_begins_[block] < mark_begins_[block + 1];
  }

  // Calls visit(successor, inside) for each edge from `block`; edges back to
  // the header of a loop are not inside.
  template <typename Visit>
  void ForEachEdge(const Region& region, int32_t block, Visit visit) const {
    for (const int32_t next : function_.blocks[block].successors) {
      visit(next, region_of_[next] == region.id &&
                      !(region.is_loop() && next == region.header));
    }
  }

  // Appends the points of the region and sets points_before of its blocks.
  void Walk(const Region& region) {
    std::vector<Component> components = Components(region);
    Describe(region, components);
    for (const Component& component : components) {
      if (fault_) return;
      const auto before = static_cast<int32_t>(path_.points.size());
      for (const int32_t b : component.blocks) SetPoints(b, before, before);
      if (!component.marked || !Passes(region, component)) continue;
      const int32_t scope =
          component.may_be_missed ? region.begin_point : region.scope;
      if (component.is_loop) {
        WalkLoop(region, component, scope);
      } else {
        AddMarks(component.blocks.front(), scope);
      }
    }
  }

  void SetPoints(int32_t block, int32_t before, int32_t after) {
    path_.points_before[block] = before;
    path_.points_after[block] = after;
  }

  void AddMarks(int32_t block, int32_t scope) {
    for (int32_t m = mark_begins_[block]; m < mark_begins_[block + 1]; ++m) {
      path_.points.push_back(
          {marks_[m].is_call ? PathPoint::Kind::kCall : PathPoint::Kind::kMeet,
           marks_[m].flat, marks_[m].what, scope});
    }
    path_.points_after[block] = static_cast<int32_t>(path_.points.size());
  }

  void WalkLoop(const Region& region, const Component& component,
                int32_t scope) {
    Region loop;
    loop.id = ++num_regions_;
    loop.header = component.header;
    loop.begin_point = static_cast<int32_t>(path_.points.size());
    loop.scope = scope;
    loop.depth = region.depth + 1;
    for (const int32_t b : component.blocks) region_of_[b] = loop.id;
    path_.points.push_back({PathPoint::Kind::kLoopBegin, -1, -1, -1});
    Walk(loop);
    if (path_.points.back().kind != PathPoint::Kind::kLoopBegin) {
      path_.points.push_back({PathPoint::Kind::kLoopEnd, -1, -1, -1});
      return;
    }
    // Nothing in it was a point after all (lenient).
    path_.points.pop_back();
    for (const int32_t b : component.blocks) {
      SetPoints(b, loop.begin_point, loop.begin_point);
    }
  }

  // Whether the marks of `component` can be points; if not, it is a fault.
  bool Passes(const Region& region, const Component& component) {
    std::optional<PathFault::Kind> kind;
    if (component.passed_by) {
      kind = region.is_loop() ? PathFault::Kind::kNotInEveryIteration
                              : PathFault::Kind::kNotOnEveryPath;
    } else if (component.is_loop && component.entries > 1) {
      kind = PathFault::Kind::kSeveralEntries;
    } else if (component.is_loop && region.depth == kMaxMarkedLoopDepth) {
      kind = PathFault::Kind::kTooDeep;
    }
    if (!kind) return true;
    if (!lenient_) fault_ = {*kind, FirstMark(component)};
    return false;
  }

  int32_t FirstMark(const Component& component) const {
    int32_t first = path_.block_starts.back();
    for (const int32_t b : component.blocks) {
      if (Marked(b)) first = std::min(first, marks_[mark_begins_[b]].flat);
    }
    return first;
  }

  // The strongly connected components that the header leads to, in topological
  // order (Tarjan, with a stack of its own).
  std::vector<Component> Components(const Region& region) {
    struct Frame {
      int32_t block;
      size_t next;
    };
    std::vector<Component> components;
    std::vector<Frame> frames;
    std::vector<int32_t> open;
    int32_t count = 0;
    const auto enter = [&](int32_t block) {
      visited_in_[block] = region.id;
      number_[block] = count++;
      component_of_[block] = number_[block];  // Tarjan's low link until closed
      open.push_back(block);
      frames.push_back({block, 0});
    };
    enter(region.header);
    while (!frames.empty()) {
      const int32_t block = frames.back().block;
      const std::vector<int32_t>& next = function_.blocks[block].successors;
      if (frames.back().next < next.size()) {
        const int32_t to = next[frames.back().next++];
        if (region_of_[to] != region.id) continue;
        if (region.is_loop() && to == region.header) continue;
        if (visited_in_[to] != region.id) {
          enter(to);
        } else if (closed_in_[to] != region.id) {
          component_of_[block] = std::min(component_of_[block], number_[to]);
        }
        continue;
      }
      frames.pop_back();
      if (!frames.empty()) {
        int32_t& low = component_of_[frames.back().block];
        low = std::min(low, component_of_[block]);
      }
      if (component_of_[block] != number_[block]) continue;
      Component component;
      int32_t member = -1;
      while (member != block) {
        member = open.back();
        open.pop_back();
        component.blocks.push_back(member);
        closed_in_[member] = region.id;
      }
      components.push_back(std::move(component));
    }
    std::reverse(components.begin(), components.end());
    return components;
  }

  void Describe(const Region& region, std::vector<Component>& components) {
    for (size_t c = 0; c < components.size(); ++c) {
      for (const int32_t b : components[c].blocks) {
        component_of_[b] = static_cast<int32_t>(c);
      }
    }
    entered_in_[region.header] = region.id;
    for (size_t c = 0; c < components.size(); ++c) {
      Component& from = components[c];
      from.is_loop = from.blocks.size() > 1;
      from.ends = !region.is_loop();
      for (const int32_t b : from.blocks) {
        from.marked |= Marked(b);
        ForEachEdge(region, b, [&](int32_t to, bool inside) {
          if (!inside) {
            // Back to the header, or out of the region.
            (to == region.header ? from.ends : from.leaves) = true;
            return;
          }
          const int32_t other = component_of_[to];
          if (other == static_cast<int32_t>(c)) {
            from.is_loop = true;
            return;
          }
          entered_in_[to] = region.id;
          from.farthest = std::max(from.farthest, other);
          if (!region.is_loop()) from.ends = false;
        });
      }
    }
    int32_t farthest = -1;
    bool ends = false;
    bool leaves = false;
    for (size_t c = 0; c < components.size(); ++c) {
      Component& component = components[c];
      component.passed_by = ends || farthest > static_cast<int32_t>(c);
      component.may_be_missed = leaves;
      farthest = std::max(farthest, component.farthest);
      ends |= component.ends;
      leaves |= component.leaves;
      for (const int32_t b : component.blocks) {
        if (entered_in_[b] != region.id) continue;
        ++component.entries;
        component.header = b;
      }
    }
  }

  const Function& function_;
  const std::vector<Mark>& marks_;
  const bool lenient_;
  CodePath path_;
  std::optional<PathFault> fault_;
  int32_t num_regions_ = 0;
  std::vector<int32_t> mark_begins_;  // by block
  std::vector<int32_t> region_of_;    // by block: the innermost one so far
  // By block, the region in which it was found, closed, and entered from
  // another component.
  std::vector<int32_t> visited_in_;
  std::vector<int32_t> closed_in_;
  std::vector<int32_t> entered_in_;
  std::vector<int32_t> number_;        // by block: order of discovery
  std::vector<int32_t> component_of_;  // by block
};

}  // namespace

int32_t CodePath::PointsBefore(int32_t flat) const {
  const auto next =
      std::upper_bound(block_starts.begin(), block_starts.end(), flat);
  const auto block = static_cast<size_t>(next - block_starts.begin()) - 1;
  if (points_before[block] < 0) return -1;
  const auto first = points.begin() + points_before[block];
  const auto last = points.begin() + points_after[block];
  return static_cast<int32_t>(
      std::lower_bound(
          first, last, flat,
          [](const PathPoint& p, int32_t at) { return p.flat < at; }) -
      points.begin());
}

int32_t CodePath::PointOf(int32_t flat) const {
  const int32_t before = PointsBefore(flat);
  if (before < 0 || before == static_cast<int32_t>(points.size())) return -1;
  return points[before].flat == flat ? before : -1;
}

std::variant<CodePath, PathFault> FindCodePath(const Function& function,
                                               const std::vector<Mark>& marks,
                                               bool lenient) {
  return PathFinder(function, marks, lenient).Find();
}

}  // namespace berth
