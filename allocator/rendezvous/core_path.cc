#include "allocator/rendezvous/core_path.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "allocator/base/status_macros.h"
#include "allocator/model/check_program.h"
#include "allocator/model/intervals.h"
#include "allocator/model/names.h"
#include "allocator/model/program.h"
#include "allocator/rendezvous/code_path.h"

namespace berth {
namespace {

bool CanMeet(const Instruction& instruction) {
  return instruction.kind == InstructionKind::kBarrier ||
         instruction.kind == InstructionKind::kCollective;
}

std::string Reason(const PathFault& fault) {
  switch (fault.kind) {
    case PathFault::Kind::kUnreachable:
      return "stands where no path leads to";
    case PathFault::Kind::kNotOnEveryPath:
      return "is not on every path through the function";
    case PathFault::Kind::kNotInEveryIteration:
      return "is not on every path through an iteration of its loop";
    case PathFault::Kind::kSeveralEntries:
      return "stands in a loop that has several entries";
    case PathFault::Kind::kTooDeep:
      return absl::StrCat("stands in more than ", kMaxMarkedLoopDepth,
                          " loops inside one another");
  }
  return "";
}

absl::Status TooManyPoints(int32_t core) {
  return absl::ResourceExhaustedError(absl::StrCat(
      "core ", core, ": more than ", kMaxPathPoints,
      " places where cores meet, all calls expanded; at most so many are "
      "supported"));
}

class CorePathFinder {
 public:
  CorePathFinder(const Module& module, const MeetingNames& names, bool lenient,
                 int64_t& points_left)
      : module_(module),
        names_(names),
        lenient_(lenient),
        points_left_(points_left) {}

  absl::StatusOr<CorePath> Find() {
    BERTH_ASSIGN_OR_RETURN(const std::vector<int32_t> order,
                           CalleesFirst(module_));
    flattened_.assign(module_.functions.size(), false);
    // With a call passed over, its callee has no points either, and who else
    // calls it must know. Each round but the last flattens some function.
    do {
      found_passed_over_ = false;
      path_.functions.assign(module_.functions.size(), {});
      for (const int32_t f : order) BERTH_RETURN_IF_ERROR(FindFunction(f));
    } while (found_passed_over_);
    BERTH_RETURN_IF_ERROR(FindStarts(order));
    for (const int32_t root : roots_) BERTH_RETURN_IF_ERROR(Expand(root));
    points_left_ -= static_cast<int64_t>(path_.points.size());
    return std::move(path_);
  }

 private:
  bool HoldsPoints(int32_t function) const {
    return !path_.functions[function].code.points.empty();
  }

  // REQUIRES: callees are done.
  absl::Status FindFunction(int32_t f) {
    const Function& function = module_.functions[f];
    std::vector<Mark> marks;
    ForEachInstruction(function,
                       [&](const Instruction& i, int32_t block, int32_t flat) {
                         if (i.kind == InstructionKind::kCall) {
                           if (HoldsPoints(i.callee)) {
                             marks.push_back({block, flat, true, i.callee});
                           }
                         } else if (CanMeet(i)) {
                           const auto name = names_.find(i.name);
                           if (name == names_.end()) return;
                           marks.push_back({block, flat, false, name->second});
                         }
                       });
    auto found = FindCodePath(
        function, flattened_[f] ? std::vector<Mark>() : marks, lenient_);
    if (const auto* fault = std::get_if<PathFault>(&found)) {
      const bool is_call =
          InstructionAt(function, fault->flat).kind == InstructionKind::kCall;
      return absl::InvalidArgumentError(absl::StrCat(
          Describe(module_, f, fault->flat),
          is_call ? ": a call of a function that holds a rendezvous "
                  : ": a rendezvous of several cores ",
          Reason(*fault)));
    }
    FunctionPath& path = path_.functions[f];
    path.code = std::get<CodePath>(std::move(found));
    FlattenPassedOver(path.code, marks);
    int64_t length = 0;
    for (const PathPoint& point : path.code.points) {
      path.expanded.push_back(static_cast<int32_t>(length));
      length += point.kind == PathPoint::Kind::kCall
                    ? path_.functions[point.what].expanded.back()
                    : 1;
      if (length > points_left_) return TooManyPoints(module_.core);
    }
    path.expanded.push_back(static_cast<int32_t>(length));
    return absl::OkStatus();
  }

  // Calls among `marks` that are run but are no points (lenient): what they
  // call runs at one time, that of the call.
  void FlattenPassedOver(const CodePath& code, const std::vector<Mark>& marks) {
    for (const Mark& mark : marks) {
      if (!mark.is_call || code.PointsBefore(mark.flat) < 0 ||
          code.PointOf(mark.flat) >= 0) {
        continue;
      }
      flattened_[mark.what] = true;
      found_passed_over_ = true;
    }
  }

  // Where each function starts: callers before callees.
  absl::Status FindStarts(const std::vector<int32_t>& callees_first) {
    std::vector<bool> called(module_.functions.size(), false);
    for (const Function& function : module_.functions) {
      ForEachInstruction(function, [&](const Instruction& i, int32_t, int32_t) {
        if (i.kind == InstructionKind::kCall) called[i.callee] = true;
      });
    }
    int64_t length = 0;
    for (size_t f = 0; f < called.size(); ++f) {
      if (called[f]) continue;
      roots_.push_back(static_cast<int32_t>(f));
      path_.functions[f].starts = {static_cast<int32_t>(length)};
      length += path_.functions[f].expanded.back();
      if (length > points_left_) return TooManyPoints(module_.core);
    }
    for (auto f = callees_first.rbegin(); f != callees_first.rend(); ++f) {
      FunctionPath& path = path_.functions[*f];
      std::sort(path.starts.begin(), path.starts.end());
      path.starts.erase(std::unique(path.starts.begin(), path.starts.end()),
                        path.starts.end());
      if (!AddCalls(*f)) return TooManyPoints(module_.core);
    }
    return absl::OkStatus();
  }

  // Starts of what function `f` calls; its own are known. False: too many.
  bool AddCalls(int32_t f) {
    std::vector<std::pair<int32_t, int32_t>> calls;  // callee, points before
    const FunctionPath& path = path_.functions[f];
    ForEachInstruction(module_.functions[f],
                       [&](const Instruction& i, int32_t, int32_t flat) {
                         if (i.kind != InstructionKind::kCall) return;
                         const int32_t before = path.code.PointsBefore(flat);
                         if (before >= 0)
                           calls.emplace_back(i.callee, path.expanded[before]);
                       });
    std::sort(calls.begin(), calls.end());
    calls.erase(std::unique(calls.begin(), calls.end()), calls.end());
    num_starts_ += static_cast<int64_t>(calls.size() * path.starts.size());
    if (num_starts_ > kMaxPathPoints) return false;
    for (const auto& [callee, before] : calls) {
      std::vector<int32_t>& starts = path_.functions[callee].starts;
      for (const int32_t start : path.starts) starts.push_back(start + before);
    }
    return true;
  }

  // Appends the points of one root.
  absl::Status Expand(int32_t root) {
    struct Frame {
      int32_t function;
      int32_t start;
      int32_t scope;  // of what nothing in the function itself may miss
      size_t next;
    };
    std::vector<Frame> frames = {
        {root, static_cast<int32_t>(path_.points.size()), -1, 0}};
    int32_t depth = 0;
    while (!frames.empty()) {
      Frame& frame = frames.back();
      const FunctionPath& path = path_.functions[frame.function];
      if (frame.next == path.code.points.size()) {
        frames.pop_back();
        continue;
      }
      const PathPoint& point = path.code.points[frame.next++];
      const int32_t scope = point.scope < 0
                                ? frame.scope
                                : frame.start + path.expanded[point.scope];
      if (point.kind == PathPoint::Kind::kCall) {
        frames.push_back(
            {point.what, static_cast<int32_t>(path_.points.size()), scope, 0});
        continue;
      }
      if (point.kind == PathPoint::Kind::kMeet) {
        path_.points.push_back({point.kind,
                                {module_.core, frame.function, point.flat},
                                point.what,
                                scope});
        continue;
      }
      depth += point.kind == PathPoint::Kind::kLoopBegin ? 1 : -1;
      if (depth > kMaxMarkedLoopDepth) {
        return absl::InvalidArgumentError(absl::StrCat(
            "core ", module_.core, ", function ",
            QuotedName(module_.functions[frame.function].name),
            ": a rendezvous of several cores stands in more than ",
            kMaxMarkedLoopDepth, " loops inside one another, calls expanded"));
      }
      path_.points.push_back({point.kind, {}, -1, -1});
    }
    return absl::OkStatus();
  }

  const Module& module_;
  const MeetingNames& names_;
  const bool lenient_;
  int64_t& points_left_;
  CorePath path_;
  std::vector<bool> flattened_;  // functions whose marks are not looked at
  bool found_passed_over_ = false;
  std::vector<int32_t> roots_;
  int64_t num_starts_ = 0;
};

}  // namespace

Interval FunctionPath::LocalTimes(int32_t flat) const {
  const int32_t before = code.PointsBefore(flat);
  if (before < 0) return {-1, -1};
  const int32_t time = 2 * expanded[before];
  if (before < static_cast<int32_t>(code.points.size()) &&
      code.points[before].flat == flat) {
    if (code.points[before].kind == PathPoint::Kind::kCall) {
      return {time, 2 * expanded[before + 1]};
    }
    return {time + 1, time + 1};
  }
  return {time, time};
}

absl::StatusOr<CorePath> FindCorePath(const Module& module,
                                      const MeetingNames& names, bool lenient,
                                      int64_t& points_left) {
  return CorePathFinder(module, names, lenient, points_left).Find();
}

const Instruction& InstructionAt(const Function& function, int32_t flat) {
  size_t block = 0;
  while (flat >=
         static_cast<int32_t>(function.blocks[block].instructions.size())) {
    flat -= static_cast<int32_t>(function.blocks[block].instructions.size());
    ++block;
  }
  return function.blocks[block].instructions[flat];
}

std::string Describe(const Module& module, int32_t function, int32_t flat) {
  const Function& f = module.functions[function];
  return absl::StrCat(
      "core ", module.core, ", function ", QuotedName(f.name), ", instruction ",
      QuotedName(InstructionLabel(InstructionAt(f, flat), flat)));
}

}  // namespace berth
