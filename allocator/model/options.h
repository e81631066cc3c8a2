// The choices a caller makes: one value type per option of spec.md and cli.md.
//
// Options come in as these structs; nothing under allocator/ reads a flag.
#ifndef BERTH_ALLOCATOR_MODEL_OPTIONS_H_
#define BERTH_ALLOCATOR_MODEL_OPTIONS_H_

#include <cstdint>

namespace berth {

// --size-rounding: the size that search uses (w, spec §1).
enum class SizeRounding : uint8_t { kPage = 0, kNone = 1 };

// --link-mode: whether a function's own pre-placed locations set the floor
// (pre) or are avoided by liveness (post), spec §9.
enum class LinkMode : uint8_t { kPre = 0, kPost = 1 };

// --emission: how live ranges become intervals (spec §3).
enum class Emission : uint8_t { kMerged = 0, kPerEdge = 1 };

// --planner: which order, and how it is searched.
enum class Planner : uint8_t {
  kReference = 0,
  kBriggs = 1,
  kGreedy = 2,
  kTight = 3
};

// --memory for CSV: other has page 1, dram the page rule (spec §14).
enum class CsvMemory : uint8_t { kOther = 0, kDram = 1 };

inline constexpr uint64_t kDefaultHbmPerCoreBytes = uint64_t{24} << 30;
inline constexpr uint64_t kDefaultRotationCapBytes = uint64_t{8} << 30;
// A CSV's ceiling without --capacity (spec §14).
inline constexpr uint64_t kNoCapacity = (uint64_t{1} << 63) - 1;

struct PlanOptions {
  Planner planner = Planner::kBriggs;
  Emission emission = Emission::kMerged;
  SizeRounding size_rounding = SizeRounding::kPage;
  LinkMode link_mode = LinkMode::kPre;
  bool keep = false;  // --keep: BERTH and SYNC addresses become pins

  // Programs only.
  uint64_t hbm_per_core_bytes = kDefaultHbmPerCoreBytes;
  int64_t allreduce_buffer_mib = 500;  // -1 = auto
  uint64_t shared_mb_per_core = 0;     // 0 = one common run
  bool disable_dram_allocation = false;
  bool allow_unaddressed = false;
  bool dram_rotation = false;
  uint64_t dram_rotation_cap_bytes = kDefaultRotationCapBytes;

  // CSV only.
  uint64_t capacity_bytes = kNoCapacity;
  CsvMemory csv_memory = CsvMemory::kOther;

  // Planner::kTight only: steps of its search (deterministic).
  uint64_t budget_steps = 2'000'000;
};

}  // namespace berth

#endif  // BERTH_ALLOCATOR_MODEL_OPTIONS_H_
