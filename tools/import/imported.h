// What importers are told and what they give back.
#ifndef BERTH_TOOLS_IMPORT_IMPORTED_H_
#define BERTH_TOOLS_IMPORT_IMPORTED_H_

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "allocator/model/instance.h"
#include "allocator/model/program.h"

namespace berth::import {

// Where what goes in and out of a model lives.
enum class Io : uint8_t {
  kExternal,  // the runtime places it: no address, takes no part
  kPinned,    // pre-placed, one after another from address 0
  kPlaced,    // Berth places it, as it does intermediates
};

struct Options {
  Io io = Io::kExternal;
  // ONNX: weights and constants are pre-placed too, behind pinned inputs.
  bool pin_weights = false;
  // ONNX: sizes of symbolic dimensions, ("batch", 8).
  std::vector<std::pair<std::string, int64_t>> dims;
  // XLA: the memory space ("@1" in a value's name) that is taken.
  int64_t xla_color = 0;
};

struct Imported {
  std::variant<Program, Instance> content;
  // One a line: what the target cannot say or says otherwise.
  std::vector<std::string> notes;
};

}  // namespace berth::import

#endif  // BERTH_TOOLS_IMPORT_IMPORTED_H_
