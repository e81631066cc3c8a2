// `import berth`: plans numpy arrays. help(berth) is the documentation.
//
// Arrays are read as they are if they are one-dimensional int64, else copied
// first; the interpreter lock is released while a plan is made. Everything that
// is wrong raises an exception with the text of the Status:
// berth.InvalidArgument (a ValueError) or berth.ResourceExhausted (a
// RuntimeError).
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "allocator/model/instance.h"
#include "allocator/model/names.h"
#include "allocator/model/options.h"
#include "allocator/pipeline/plan_instance.h"
#include "allocator/pipeline/state.h"
#include "allocator/validate/validate.h"
#include "pybind11/numpy.h"
#include "pybind11/pybind11.h"
#include "pybind11/stl.h"
#include "tools/python/instance.h"

namespace py = pybind11;

namespace berth::python {
namespace {

class InvalidArgument : public std::runtime_error {
  using std::runtime_error::runtime_error;
};
class ResourceExhausted : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

void RaiseIfError(const absl::Status& status) {
  if (status.ok()) return;
  const std::string text(status.message());
  if (absl::IsResourceExhausted(status)) throw ResourceExhausted(text);
  throw InvalidArgument(text);
}

// forcecast: ToArray() has looked at what is cast.
using Array = py::array_t<int64_t, py::array::c_style | py::array::forcecast>;

// `values` as int64. Floats, texts and the like are refused, and so are u64
// values past 2^63 - 1: numpy would turn them into other numbers.
Array ToArray(const char* name, const py::handle& values) {
  const auto array = py::array::ensure(values);
  if (!array) {
    PyErr_Clear();
    throw InvalidArgument(absl::StrCat(name, ": an array is expected"));
  }
  if (array.ndim() != 1) {
    throw InvalidArgument(
        absl::StrCat(name, ": one dimension is expected, not ", array.ndim()));
  }
  const char kind = array.dtype().kind();
  // An empty list is an array of floats.
  if (kind != 'i' && kind != 'u' && array.size() > 0) {
    throw InvalidArgument(absl::StrCat(name, ": integers are expected, not ",
                                       std::string(py::str(array.dtype()))));
  }
  Array integers = Array::ensure(array);
  if (!integers) throw py::error_already_set();
  if (kind == 'u' && array.itemsize() == sizeof(uint64_t)) {
    for (py::ssize_t i = 0; i < integers.size(); ++i) {
      if (integers.at(i) >= 0) continue;
      throw InvalidArgument(absl::StrCat("buffer ", i, ": ", name, " ",
                                         static_cast<uint64_t>(integers.at(i)),
                                         " passes 2^63 - 1"));
    }
  }
  return integers;
}

absl::Span<const int64_t> ToSpan(const Array& array) {
  return {array.data(), static_cast<size_t>(array.size())};
}

// Reads all columns while it holds the interpreter lock: afterwards other
// threads may write to the arrays.
Instance Read(const py::object& lower, const py::object& upper,
              const py::object& size, const py::object& alignment,
              const py::object& offset) {
  const Array lowers = ToArray("lower", lower);
  const Array uppers = ToArray("upper", upper);
  const Array sizes = ToArray("size", size);
  Columns columns = {.lower = ToSpan(lowers),
                     .upper = ToSpan(uppers),
                     .size = ToSpan(sizes),
                     .alignment = std::nullopt,
                     .offset = std::nullopt};
  Array alignments;
  if (!alignment.is_none()) {
    alignments = ToArray("alignment", alignment);
    columns.alignment = ToSpan(alignments);
  }
  Array offsets;
  if (!offset.is_none()) {
    offsets = ToArray("offset", offset);
    columns.offset = ToSpan(offsets);
  }
  absl::StatusOr<Instance> instance = ToInstance(columns);
  RaiseIfError(instance.status());
  return *std::move(instance);
}

// Any integer of Python's or numpy's, from 0 to `most`.
uint64_t ToCount(const char* name, const py::handle& value, uint64_t most) {
  const auto index =
      py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!index) {
    PyErr_Clear();
    throw InvalidArgument(absl::StrCat(name, ": an integer is expected, not ",
                                       std::string(py::repr(value))));
  }
  const uint64_t count = PyLong_AsUnsignedLongLong(index.ptr());
  // Negative, or past 2^64.
  const bool failed = PyErr_Occurred() != nullptr;
  PyErr_Clear();
  if (failed || count > most) {
    throw InvalidArgument(absl::StrCat(name, " ", std::string(py::str(index)),
                                       " is not within 0 to ", most));
  }
  return count;
}

PlanOptions ToOptions(const std::string& planner, const py::object& capacity,
                      const std::string& memory, const py::object& steps) {
  PlanOptions options;
  const std::optional<Planner> known = ParsePlanner(planner);
  if (!known) {
    throw InvalidArgument(absl::StrCat("planner '", planner,
                                       "' is not known: reference, briggs, "
                                       "greedy or tight"));
  }
  options.planner = *known;
  if (!capacity.is_none()) {
    options.capacity_bytes = ToCount("capacity", capacity, kNoCapacity);
  }
  if (memory != "other" && memory != "dram") {
    throw InvalidArgument(
        absl::StrCat("memory '", memory, "' is neither other nor dram"));
  }
  options.csv_memory = memory == "dram" ? CsvMemory::kDram : CsvMemory::kOther;
  if (!steps.is_none()) {
    options.budget_steps =
        ToCount("budget_steps", steps, std::numeric_limits<uint64_t>::max());
  }
  return options;
}

// (addresses, peak, lower bound).
py::tuple Plan(const py::object& lower, const py::object& upper,
               const py::object& size, const py::object& alignment,
               const py::object& offset, const std::string& planner,
               const py::object& capacity, const std::string& memory,
               const py::object& budget_steps) {
  const PlanOptions options =
      ToOptions(planner, capacity, memory, budget_steps);
  Instance instance = Read(lower, upper, size, alignment, offset);
  absl::Status status;
  RunReport report;
  std::vector<int64_t> addresses;
  {
    const py::gil_scoped_release unlocked;
    status = PlanInstance(options, nullptr, nullptr, instance, report);
    if (status.ok()) addresses = OffsetsOf(instance);
  }
  RaiseIfError(status);
  Array result(static_cast<py::ssize_t>(addresses.size()), addresses.data());
  return py::make_tuple(std::move(result), report.record.peak,
                        report.record.lower_bound);
}

std::vector<std::string> Check(const py::object& lower, const py::object& upper,
                               const py::object& size,
                               const py::object& address,
                               const py::object& alignment,
                               const py::object& capacity,
                               const std::string& memory, bool full) {
  ValidateOptions options;
  options.plan = ToOptions("briggs", capacity, memory, py::none());
  options.full = full;
  const Instance instance = Read(lower, upper, size, alignment, address);
  Report report;
  {
    const py::gil_scoped_release unlocked;
    report = ValidateInstance(instance, nullptr, options);
  }
  std::vector<std::string> broken;
  for (const Violation& violation : report.violations) {
    broken.push_back(
        absl::StrCat(Name(violation.invariant), ": ", violation.message));
  }
  return broken;
}

constexpr char kModuleDoc[] =
    "Places buffers in memory so that those that are live at the same time\n"
    "share no byte and the peak is low. Buffer i lives in [lower[i], "
    "upper[i]).";

constexpr char kPlanDoc[] =
    "Returns (addresses, peak, lower_bound): addresses is an int64 array, "
    "peak\n"
    "the highest end of what was placed, lower_bound what nothing can beat.\n\n"
    "lower, upper, size: one-dimensional integer arrays of equal length;\n"
    "  lower < upper, times may be negative, sizes are 0 to 2**63 - 1.\n"
    "alignment: addresses are multiples of it. Default 1.\n"
    "offset: where a buffer stands already, -1 where it does not.\n"
    "planner: 'briggs', its plain twin 'reference', 'greedy' or 'tight'.\n"
    "capacity: the end of the memory in bytes. Default 2**63 - 1.\n"
    "memory: 'dram' holds to pages of 4096 bytes, 'other' does not.\n"
    "budget_steps: bounds the search of 'tight'.\n\n"
    "Raises InvalidArgument (a ValueError) for a bad problem, and\n"
    "ResourceExhausted (a RuntimeError) for one that does not fit.";

constexpr char kCheckDoc[] =
    "Returns the invariants that a placement breaks, a line each; [] if it is\n"
    "right. The judge shares no code with the planners. address: -1 is a\n"
    "buffer without one, which is broken. full: no buffer may fit lower "
    "(holds\n"
    "of what first fit placed).";

}  // namespace

void Define(py::module_& module) {
  module.doc() = kModuleDoc;
  py::register_exception<InvalidArgument>(module, "InvalidArgument",
                                          PyExc_ValueError);
  py::register_exception<ResourceExhausted>(module, "ResourceExhausted",
                                            PyExc_RuntimeError);
  const uint64_t steps = PlanOptions().budget_steps;
  module.def("plan", Plan, kPlanDoc, py::arg("lower"), py::arg("upper"),
             py::arg("size"), py::kw_only(), py::arg("alignment") = py::none(),
             py::arg("offset") = py::none(), py::arg("planner") = "briggs",
             py::arg("capacity") = py::none(), py::arg("memory") = "other",
             py::arg("budget_steps") = steps);
  module.def("check", Check, kCheckDoc, py::arg("lower"), py::arg("upper"),
             py::arg("size"), py::arg("address"), py::kw_only(),
             py::arg("alignment") = py::none(),
             py::arg("capacity") = py::none(), py::arg("memory") = "other",
             py::arg("full") = false);
}

}  // namespace berth::python

PYBIND11_MODULE(berth, module) { berth::python::Define(module); }
