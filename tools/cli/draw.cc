#include "tools/cli/draw.h"
namespace berth {
absl::Status Draw(const Input&, const std::string&) { return absl::OkStatus(); }
}  // namespace berth
