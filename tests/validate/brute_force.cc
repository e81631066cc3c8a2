#include "tests/validate/brute_force.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "allocator/base/int_math.h"
#include "allocator/model/instance.h"
#include "allocator/model/options.h"
#include "allocator/model/program.h"
#include "allocator/validate/validate.h"

namespace berth::testing {
namespace {

// --- liveness: points are block starts, instructions and block ends ---

struct Point {
  const Instruction* instruction = nullptr;
  int32_t flat = -1;
  bool exit = false;  // end of a block without successor
  std::vector<int32_t> next;
};

std::vector<Point> MakePoints(const Function& function) {
  std::vector<Point> points;
  std::vector<int32_t> start, end;
  int32_t flat = 0;
  for (const Block& block : function.blocks) {
    start.push_back(static_cast<int32_t>(points.size()));
    points.emplace_back();
    for (const Instruction& instruction : block.instructions) {
      points.emplace_back();
      points.back().instruction = &instruction;
      points.back().flat = flat++;
    }
    end.push_back(static_cast<int32_t>(points.size()));
    points.emplace_back();
    points.back().exit = block.successors.empty();
    for (int32_t p = start.back(); p < end.back(); ++p) {
      points[p].next = {p + 1};
    }
  }
  for (size_t b = 0; b < function.blocks.size(); ++b) {
    for (const int32_t to : function.blocks[b].successors) {
      points[end[b]].next.push_back(start[to]);
    }
  }
  return points;
}

struct Effect {
  bool accesses = false;
  bool defines = false;
  bool needs = false;  // a use, or a def in part
};

Effect EffectOf(const Point& point, int32_t location, uint64_t bytes) {
  Effect effect;
  if (point.instruction == nullptr) return effect;
  for (const Access& use : point.instruction->uses) {
    if (use.location == location) effect.accesses = effect.needs = true;
  }
  for (const Access& def : point.instruction->defs) {
    if (def.location != location) continue;
    effect.accesses = effect.defines = true;
    const bool whole = def.extent_bytes == 0 || def.extent_bytes == bytes;
    if (!whole) effect.needs = true;
  }
  return effect;
}

std::set<int32_t> Occupied(const std::vector<Point>& points,
                           const Location& location, int32_t id,
                           int32_t count) {
  std::set<int32_t> occupied;
  if (location.type != MemoryType::kDram) return occupied;
  std::vector<Effect> effects;
  bool accessed = false, called = false;
  for (const Point& point : points) {
    effects.push_back(EffectOf(point, id, location.byte_size()));
    accessed |= effects.back().accesses;
    called |= effects.back().accesses &&
              point.instruction->kind == InstructionKind::kCall;
  }
  const bool fixed =
      location.usage == Usage::kWeight || location.usage == Usage::kConstant;
  if (!accessed) {
    for (int32_t i = 0; fixed && location.address && i < count; ++i) {
      occupied.insert(i);
    }
    return occupied;
  }
  const bool at_entry = fixed || location.usage == Usage::kInput;
  const bool at_exit = fixed || location.usage == Usage::kOutput;
  // Points that some def comes before.
  std::vector<bool> reached(points.size());
  const std::function<void(int32_t)> reach = [&](int32_t p) {
    if (reached[p]) return;
    reached[p] = true;
    for (const int32_t next : points[p].next) reach(next);
  };
  if (at_entry) reach(0);
  for (size_t p = 0; p < points.size(); ++p) {
    if (!effects[p].defines) continue;
    for (const int32_t next : points[p].next) reach(next);
  }
  for (size_t p = 0; p < points.size(); ++p) {
    if (points[p].flat < 0) continue;
    std::vector<bool> seen(points.size());
    const std::function<bool(int32_t)> live = [&](int32_t q) {
      if (seen[q]) return false;
      seen[q] = true;
      if (effects[q].accesses) return effects[q].needs;
      if (points[q].exit && at_exit) return true;
      return std::any_of(points[q].next.begin(), points[q].next.end(), live);
    };
    if (effects[p].accesses || (reached[p] && live(static_cast<int32_t>(p)))) {
      occupied.insert(points[p].flat);
    }
  }
  if (called) {
    const int32_t lo = *occupied.begin(), hi = *occupied.rbegin();
    for (int32_t i = lo; i <= hi; ++i) occupied.insert(i);
  }
  return occupied;
}

// --- one run ---

struct Item {
  bool pinned = false;
  bool placed = false;
  bool cc = false;
  uint64_t address = 0;
  uint64_t size = 0;  // w
  uint64_t alignment = 1;
  std::set<int64_t> times;

  uint64_t end() const { return address + size; }
  bool bytes() const { return placed && size > 0; }
};

struct Space {
  uint64_t floor = 0;
  uint64_t cc_end = 0;
  uint64_t ceiling = 0;
  uint64_t page = 1;
  uint64_t step = 1;
};

bool Interfere(const Item& a, const Item& b) {
  return std::any_of(a.times.begin(), a.times.end(),
                     [&](int64_t t) { return b.times.contains(t); });
}

bool Clash(const Item& a, const Item& b) {
  return a.bytes() && b.bytes() && a.address < b.end() && b.address < a.end() &&
         Interfere(a, b);
}

bool WellPlaced(const Item& item, uint64_t page) {
  if (item.address % item.alignment != 0) return false;
  return item.size > page || item.address % page + item.size <= page;
}

// I9: some x in the region where `items[i]` lies and lower, or in a region
// tried before.
bool FitsLower(const std::vector<Item>& items, size_t i, const Space& space) {
  std::vector<std::pair<uint64_t, uint64_t>> regions = {
      {space.cc_end, space.ceiling},
      {space.floor, space.cc_end},
      {space.floor, space.ceiling}};
  if (items[i].cc) std::swap(regions[0], regions[1]);
  for (const auto& [lo, hi] : regions) {
    const bool here = items[i].address >= lo && items[i].end() <= hi;
    Item moved = items[i];
    for (moved.address = lo; moved.end() <= hi; moved.address += space.step) {
      if (here && moved.address >= items[i].address) break;
      bool free = WellPlaced(moved, space.page);
      for (size_t j = 0; j < items.size(); ++j) {
        free = free && (j == i || !Clash(moved, items[j]));
      }
      if (free) return true;
    }
    if (here) return false;
  }
  return false;
}

std::set<Invariant> BruteRun(const std::vector<Item>& items, const Space& space,
                             const ValidateOptions& options) {
  std::set<Invariant> broken;
  std::map<int64_t, uint128> load;
  uint64_t peak = space.floor;
  bool complete = true;
  for (size_t i = 0; i < items.size(); ++i) {
    const Item& item = items[i];
    for (size_t j = 0; j < i; ++j) {
      if (Clash(item, items[j])) broken.insert(Invariant::kI1);
    }
    if (item.pinned) continue;
    for (const int64_t t : item.times) load[t] += item.size;
    if (!item.placed) {
      complete = false;
      broken.insert(Invariant::kUnplaced);
    }
    if (!item.bytes()) continue;
    peak = std::max(peak, item.end());
    if (!WellPlaced(item, space.page)) broken.insert(Invariant::kI2);
    if (item.address < space.floor || item.end() > space.ceiling) {
      broken.insert(Invariant::kI3);
    } else if (options.full && space.floor <= space.ceiling &&
               FitsLower(items, i, space)) {
      broken.insert(Invariant::kI9);
    }
    if (item.cc && (item.address < space.floor || item.end() > space.cc_end)) {
      broken.insert(Invariant::kI10);
    }
  }
  for (const auto& [t, sum] : load) {
    if (complete && peak - space.floor < sum) broken.insert(Invariant::kI8);
  }
  return broken;
}

// --- programs ---

bool Pinned(const Location& l) {
  return l.type == MemoryType::kDram && l.address &&
         (l.placed_by == PlacedBy::kInput || !l.placeable());
}
bool Candidate(const Location& l) {
  return l.type == MemoryType::kDram && l.placeable() && !Pinned(l);
}
uint64_t Rounded(uint64_t bytes) { return (bytes + 4095) / 4096 * 4096; }

Item ItemOf(const Location& l, const ValidateOptions& options) {
  Item item;
  item.pinned = Pinned(l);
  item.placed = l.address.has_value();
  item.address = l.address.value_or(0);
  item.size = item.pinned || options.plan.size_rounding == SizeRounding::kNone
                  ? l.byte_size()
                  : Rounded(l.byte_size());
  item.alignment = l.alignment;
  return item;
}

// Calls `visit(instruction)` for all of them.
template <typename Visitor>
void ForEach(const Function& function, const Visitor& visit) {
  for (const Block& block : function.blocks) {
    for (const Instruction& instruction : block.instructions) {
      visit(instruction);
    }
  }
}

bool Accessed(const Function& function, int32_t location) {
  bool accessed = false;
  ForEach(function, [&](const Instruction& i) {
    for (const Access& a : i.uses) accessed |= a.location == location;
    for (const Access& a : i.defs) accessed |= a.location == location;
  });
  return accessed;
}

// Bytes that auto sums for `location`; `cc` is set if any COLLECTIVE has it.
uint64_t CollectiveBytes(const Function& function, int32_t location, bool* cc) {
  uint64_t sum = 0;
  const uint64_t bytes = function.locations[location].byte_size();
  ForEach(function, [&](const Instruction& i) {
    if (i.kind != InstructionKind::kCollective) return;
    for (const auto& list : {i.uses, i.defs}) {
      for (const Access& a : list) {
        if (a.location != location) continue;
        *cc = true;
        sum += Rounded(bytes) + (a.extent_bytes > 0 ? a.extent_bytes : bytes);
      }
    }
  });
  return sum;
}

Space SpaceOf(uint64_t floor, bool any_cc, uint64_t auto_bytes,
              const ValidateOptions& options) {
  Space space;
  space.floor = space.cc_end = floor;
  space.ceiling = options.plan.hbm_per_core_bytes;
  space.page = 4096;
  space.step = kUnitBytes;
  if (any_cc && floor < space.ceiling) {
    const int64_t mib = options.plan.allreduce_buffer_mib;
    const uint64_t limit = mib < 0 ? Rounded(auto_bytes) : uint64_t(mib) << 20;
    space.cc_end = std::min(floor + limit, space.ceiling);
  }
  return space;
}

uint64_t EndForFloor(const Location& l) {
  return l.byte_size() == 0 ? 0 : *l.address + Rounded(l.byte_size());
}

// Whether `earlier` comes before `later` in post-order from the first function.
std::vector<int32_t> PostOrder(const Module& module) {
  std::vector<int32_t> order;
  const std::function<void(int32_t)> visit = [&](int32_t f) {
    if (std::find(order.begin(), order.end(), f) != order.end()) return;
    ForEach(module.functions[f], [&](const Instruction& i) {
      if (i.kind == InstructionKind::kCall) visit(i.callee);
    });
    order.push_back(f);
  };
  for (size_t f = 0; f < module.functions.size(); ++f) {
    visit(static_cast<int32_t>(f));
  }
  return order;
}

uint64_t LocalFloor(const Program& program, const Module& module, int32_t self,
                    const ValidateOptions& options) {
  uint64_t floor = 0;
  for (const Module& any : program.modules) {
    for (const Function& function : any.functions) {
      for (const Location& l : function.locations) {
        if (l.space == berth::Space::kShared && Pinned(l)) {
          floor = std::max(floor, EndForFloor(l));
        }
      }
    }
  }
  bool before_self = true;
  for (const int32_t f : PostOrder(module)) {
    if (f == self) before_self = false;
    for (const Location& l : module.functions[f].locations) {
      if (l.space != berth::Space::kLocal || l.type != MemoryType::kDram) {
        continue;
      }
      if (!l.address) continue;
      const bool own_pin_avoided =
          f == self && options.plan.link_mode == LinkMode::kPost;
      if (Pinned(l) ? !own_pin_avoided : before_self) {
        floor = std::max(floor, EndForFloor(l));
      }
    }
  }
  return floor;
}

std::set<Invariant> BruteLocal(const Program& program, const Module& module,
                               int32_t f, const ValidateOptions& options) {
  const Function& function = module.functions[f];
  const auto occupied = BruteOccupied(function);
  std::vector<Item> items;
  bool any_cc = false;
  uint64_t auto_bytes = 0;
  for (size_t l = 0; l < function.locations.size(); ++l) {
    const auto id = static_cast<int32_t>(l);
    const Location& location = function.locations[l];
    if (location.space != berth::Space::kLocal) continue;
    if (!Pinned(location) && !Candidate(location)) continue;
    if (!location.address && !Accessed(function, id)) continue;
    Item item = ItemOf(location, options);
    item.times = {occupied[l].begin(), occupied[l].end()};
    const uint64_t bytes = CollectiveBytes(function, id, &item.cc);
    item.cc = item.cc && !item.pinned;
    any_cc |= item.cc;
    if (!item.pinned) auto_bytes += bytes;
    items.push_back(item);
  }
  return BruteRun(items,
                  SpaceOf(LocalFloor(program, module, f, options), any_cc,
                          auto_bytes, options),
                  options);
}

// A shared location: its owner and all copies.
struct Shared {
  const Location* owner = nullptr;
  bool accessed = false;
  bool kept = false;  // a WEIGHT or CONSTANT with an address: always live
  bool cc = false;
  uint64_t auto_bytes = 0;
};

const Location* FindTarget(const Program& program, const Function& function,
                           const Location& copy) {
  for (const Module& module : program.modules) {
    if (module.core != copy.remote_target->core) continue;
    for (const Function& other : module.functions) {
      if (other.name != function.name) continue;
      for (const Location& l : other.locations) {
        if (l.name == copy.remote_target->name) return &l;
      }
    }
  }
  return nullptr;
}

bool Agree(const Location& a, const Location& b) {
  return a.address == b.address && a.byte_size() == b.byte_size() &&
         a.partition.value_or(0) == b.partition.value_or(0) &&
         a.bank.value_or(0) == b.bank.value_or(0);
}

void BruteShared(const Program& program, const ValidateOptions& options,
                 Broken* broken) {
  std::map<const Location*, size_t> index;
  std::vector<Shared> all;
  uint64_t floor = 0;
  for (const Module& module : program.modules) {
    for (const Function& function : module.functions) {
      for (size_t l = 0; l < function.locations.size(); ++l) {
        const auto id = static_cast<int32_t>(l);
        const Location& location = function.locations[l];
        const bool shared = location.space == berth::Space::kShared;
        if (location.type != MemoryType::kDram) continue;
        if (location.address && (!shared || Pinned(location))) {
          floor = std::max(floor, EndForFloor(location));
        }
        if (!shared) continue;
        const Location* owner = &location;
        if (location.remote_target) {
          owner = FindTarget(program, function, location);
          if (!Agree(location, *owner)) {
            broken->insert({module.core, function.name, Invariant::kI4});
          }
        }
        const auto [it, added] = index.emplace(owner, all.size());
        if (added) all.push_back({.owner = owner});
        Shared& entry = all[it->second];
        entry.accessed |= Accessed(function, id);
        entry.kept |= location.address && (location.usage == Usage::kWeight ||
                                           location.usage == Usage::kConstant);
        entry.auto_bytes += CollectiveBytes(function, id, &entry.cc);
      }
    }
  }
  std::vector<Item> items;
  bool any_cc = false;
  uint64_t auto_bytes = 0;
  for (const Shared& entry : all) {
    const Location& owner = *entry.owner;
    if (!Pinned(owner) && !Candidate(owner)) continue;
    if (!owner.address && !entry.accessed) continue;
    Item item = ItemOf(owner, options);
    if (entry.accessed || entry.kept) item.times = {0};
    item.cc = entry.cc && !item.pinned;
    any_cc |= item.cc;
    if (!item.pinned) auto_bytes += entry.auto_bytes;
    items.push_back(item);
  }
  const Space space = SpaceOf(floor, any_cc, auto_bytes, options);
  for (const Invariant invariant : BruteRun(items, space, options)) {
    broken->insert({-1, "", invariant});
  }
}

// I11: every LOCAL location against every SHARED one of the program.
void BruteDisjoint(const Program& program, const ValidateOptions& options,
                   Broken* broken) {
  const auto each = [&](berth::Space space, const auto& visit) {
    for (const Module& module : program.modules) {
      for (const Function& function : module.functions) {
        for (const Location& l : function.locations) {
          if (l.space == space && l.type == MemoryType::kDram && l.address) {
            visit(module, function, ItemOf(l, options));
          }
        }
      }
    }
  };
  each(berth::Space::kLocal, [&](const Module& m, const Function& f, Item a) {
    each(berth::Space::kShared, [&](const Module&, const Function&, Item b) {
      a.times = b.times = {0};
      if (Clash(a, b)) broken->insert({m.core, f.name, Invariant::kI11});
    });
  });
}

}  // namespace

std::vector<std::set<int32_t>> BruteOccupied(const Function& function) {
  const std::vector<Point> points = MakePoints(function);
  std::vector<std::set<int32_t>> occupied;
  for (size_t l = 0; l < function.locations.size(); ++l) {
    occupied.push_back(Occupied(points, function.locations[l],
                                static_cast<int32_t>(l),
                                function.num_instructions()));
  }
  return occupied;
}

Broken BruteProgram(const Program& placed, const ValidateOptions& options) {
  Broken broken;
  for (const Module& module : placed.modules) {
    for (size_t f = 0; f < module.functions.size(); ++f) {
      for (const Invariant invariant :
           BruteLocal(placed, module, static_cast<int32_t>(f), options)) {
        broken.insert({module.core, module.functions[f].name, invariant});
      }
    }
  }
  BruteShared(placed, options, &broken);
  BruteDisjoint(placed, options, &broken);
  return broken;
}

Broken BruteInstance(const Instance& placed, const ValidateOptions& options) {
  Space space;
  space.ceiling = options.plan.capacity_bytes;
  space.page = options.plan.csv_memory == CsvMemory::kDram ? 4096 : 1;
  std::vector<Item> items;
  for (const Buffer& buffer : placed.buffers) {
    Item item;
    item.placed = buffer.offset.has_value();
    item.address = buffer.offset.value_or(0);
    item.size =
        space.page > 1 && options.plan.size_rounding == SizeRounding::kPage
            ? Rounded(buffer.size)
            : buffer.size;
    item.alignment = buffer.alignment;
    for (int64_t t = buffer.lower; t < buffer.upper; ++t) item.times.insert(t);
    for (const Gap& gap : buffer.gaps) {
      for (int64_t t = gap.lower; t < gap.upper; ++t) item.times.erase(t);
    }
    items.push_back(item);
  }
  Broken broken;
  for (const Invariant invariant : BruteRun(items, space, options)) {
    broken.insert({-1, "", invariant});
  }
  return broken;
}

Broken Keys(const Report& report) {
  Broken broken;
  for (const Violation& violation : report.violations) {
    broken.insert({violation.core, violation.function, violation.invariant});
  }
  return broken;
}

}  // namespace berth::testing
