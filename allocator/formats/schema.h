// The fields of program.proto's leaf messages and where each lives in the
// model, stated once. The reader, the binary writer and the text writer are
// three visitors of it; each call is (field number, field name, value, what is
// left out when writing and stands for an absent field; no such for enums,
// bytes and bools, where it is 0, empty and false).
//
// A visitor has Bytes, Bool, Int32, Uint32, Uint64, OptionalUint32,
// OptionalUint64, Remote, and Enum(number, name, value, descriptor).
#ifndef BERTH_ALLOCATOR_FORMATS_SCHEMA_H_
#define BERTH_ALLOCATOR_FORMATS_SCHEMA_H_

#include "allocator/formats/program.pb.h"
#include "allocator/model/program.h"

namespace berth {

template <typename Visitor, typename RemoteTargetT>
void VisitRemoteTarget(Visitor& v, RemoteTargetT& remote) {
  v.Int32(1, "core", remote.core, 0);
  v.Bytes(2, "name", remote.name);
}

template <typename Visitor, typename LocationT>
void VisitLocation(Visitor& v, LocationT& location) {
  v.Bytes(1, "name", location.name);
  v.Enum(2, "type", location.type, proto::MemoryType_descriptor);
  v.Enum(3, "space", location.space, proto::Space_descriptor);
  v.Enum(4, "usage", location.usage, proto::Usage_descriptor);
  v.Uint64(5, "elem_count", location.elem_count, 0);
  v.Uint32(6, "elem_size", location.elem_size, 1);
  v.Uint64(7, "alignment", location.alignment, 1);
  v.OptionalUint64(8, "address", location.address);
  v.OptionalUint32(9, "partition", location.partition);
  v.OptionalUint32(10, "bank", location.bank);
  v.Enum(11, "placed_by", location.placed_by,
         proto::Location_PlacedBy_descriptor);
  v.Remote(12, "remote_target", location.remote_target);
  v.Bool(13, "nki", location.nki);
  v.Bool(14, "shared_post_dram_alloc", location.shared_post_dram_alloc);
}

template <typename Visitor, typename RunRecordT>
void VisitRun(Visitor& v, RunRecordT& run) {
  v.Enum(1, "space", run.space, proto::Space_descriptor);
  v.Int32(2, "slab", run.slab, -1);
  v.Uint64(3, "floor", run.floor, 0);
  v.Uint64(4, "ceiling", run.ceiling, 0);
  v.Uint64(5, "cc_end", run.cc_end, 0);
  v.Uint64(6, "lower_bound", run.lower_bound, 0);
  v.Uint64(7, "peak", run.peak, 0);
  v.Enum(8, "size_rounding", run.size_rounding,
         proto::Run_SizeRounding_descriptor);
  v.Enum(9, "link_mode", run.link_mode, proto::Run_LinkMode_descriptor);
  v.Enum(10, "planner", run.planner, proto::Run_Planner_descriptor);
  v.Bool(11, "rotated", run.rotated);
  v.Bool(12, "cleaned", run.cleaned);
  v.Bool(13, "dram_allocation_result", run.dram_allocation_result);
  v.Uint64(14, "real_cc_buffer_size", run.real_cc_buffer_size, 0);
  v.Uint64(15, "allreduce_dram_hwm", run.allreduce_dram_hwm, 0);
  v.Uint64(16, "peak_without_cc_reserve", run.peak_without_cc_reserve, 0);
  v.Uint64(17, "cc_overflow_bytes", run.cc_overflow_bytes, 0);
  v.Uint64(18, "cc_intruder_bytes", run.cc_intruder_bytes, 0);
  v.Uint64(19, "spill_bytes", run.spill_bytes, 0);
  v.Uint64(20, "aligned_spill_bytes", run.aligned_spill_bytes, 0);
  v.Uint64(21, "dram_bytes", run.dram_bytes, 0);
  v.Uint64(22, "reserved_space", run.reserved_space, 0);
  v.Uint64(23, "intervals", run.intervals, 0);
  v.Uint64(24, "locations", run.locations, 0);
  v.Uint64(25, "unreferenced", run.unreferenced, 0);
  v.Uint64(26, "external", run.external, 0);
}

}  // namespace berth

#endif  // BERTH_ALLOCATOR_FORMATS_SCHEMA_H_
