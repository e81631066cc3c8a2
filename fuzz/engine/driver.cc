// Runs fuzz targets without a fuzzing engine, under any compiler: replays
// files, then a seeded number of fresh and mutated inputs. The same seed gives
// the same inputs on every machine.
//
//   TARGET [-runs=N] [-seed=S] [-max_total_time=S] [-save=FILE] FILE|FOLDER...
//   driver --target=NAME ...    where several targets are linked in
//   driver --list
//
// Options are libFuzzer's where both have them; others of its are ignored. A
// failure aborts; the input that failed is written to -save's file, if named.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "allocator/base/rng.h"
#include "fuzz/engine/byte_mutator.h"
#include "fuzz/engine/target.h"

namespace berth::fuzz {
namespace {

namespace fs = std::filesystem;

struct DriverOptions {
  std::string target;
  uint64_t runs = 0;
  uint64_t seed = 1;
  uint64_t seconds = 0;  // 0: no limit
  std::string save;
  bool list = false;
  std::vector<fs::path> files;
};

// What a failure's handler writes, and where to.
absl::string_view g_running;
const char* g_save = nullptr;

void SaveAndDie(int signal) {
  const int file = open(g_save, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0 || write(file, g_running.data(), g_running.size()) < 0) {
    static constexpr char kFailed[] = "cannot save the input\n";
    (void)!write(STDERR_FILENO, kFailed, sizeof(kFailed) - 1);
  }
  raise(signal);  // its default action: the handler was for once
}

void SaveOnFailure(const std::string& path) {
  g_save = path.c_str();
  struct sigaction action = {};
  action.sa_handler = SaveAndDie;
  action.sa_flags = SA_RESETHAND;
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGBUS}) {
    sigaction(signal, &action, nullptr);
  }
}

void AddFiles(const fs::path& path, std::vector<fs::path>& files) {
  if (!fs::is_directory(path)) {
    files.push_back(path);
    return;
  }
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (fs::is_regular_file(entry.path())) files.push_back(entry.path());
  }
}

DriverOptions Parse(int argc, char** argv) {
  DriverOptions options;
  const auto number = [](absl::string_view text, uint64_t& value) {
    if (absl::SimpleAtoi(text, &value)) return;
    std::fprintf(stderr, "'%s' is no number\n", std::string(text).c_str());
    std::exit(2);
  };
  for (int i = 1; i < argc; ++i) {
    absl::string_view arg = argv[i];
    if (arg == "--list") {
      options.list = true;
    } else if (absl::ConsumePrefix(&arg, "--target=")) {
      options.target = std::string(arg);
    } else if (absl::ConsumePrefix(&arg, "-runs=")) {
      number(arg, options.runs);
    } else if (absl::ConsumePrefix(&arg, "-seed=")) {
      number(arg, options.seed);
    } else if (absl::ConsumePrefix(&arg, "-max_total_time=")) {
      number(arg, options.seconds);
    } else if (absl::ConsumePrefix(&arg, "-save=")) {
      options.save = std::string(arg);
    } else if (arg.empty() || arg[0] != '-') {
      AddFiles(argv[i], options.files);
    }
  }
  std::sort(options.files.begin(), options.files.end());
  return options;
}

std::string Read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    std::exit(2);
  }
  return std::string(std::istreambuf_iterator<char>(in), {});
}

class Driver {
 public:
  Driver(const Target& target, const DriverOptions& options)
      : target_(target), options_(options), rng_(options.seed) {}

  void Replay() {
    Run("");  // as libFuzzer begins
    for (const fs::path& file : options_.files) {
      std::string input = Read(file);
      if (input.size() > target_.max_bytes) continue;
      std::fprintf(stderr, "replay %s\n", file.c_str());
      Run(input);
      Keep(std::move(input));
    }
    std::fprintf(stderr, "%s: replayed %zu files\n", target_.name,
                 options_.files.size());
  }

  void Smoke() {
    uint64_t runs = 0;
    while (runs < options_.runs && !TimeIsUp()) {
      std::string input = Next();
      if (input.size() > target_.max_bytes) continue;
      Run(input);
      ++runs;
      if (rng_.OneIn(8)) Keep(std::move(input));
    }
    std::fprintf(stderr, "%s: %llu seeded runs, seed %llu\n", target_.name,
                 static_cast<unsigned long long>(runs),
                 static_cast<unsigned long long>(options_.seed));
  }

 private:
  static constexpr size_t kPool = 256;

  void Run(const std::string& input) {
    // An exact heap block: ASan sees a read past its end.
    const std::vector<char> exact(input.begin(), input.end());
    g_running = {exact.data(), exact.size()};
    target_.run(g_running);
  }

  void Keep(std::string input) {
    if (pool_.size() < kPool) {
      pool_.push_back(std::move(input));
    } else {
      pool_[rng_.Below(kPool)] = std::move(input);
    }
  }

  std::string Next() {
    if (pool_.empty() || rng_.OneIn(3)) {
      return target_.fresh != nullptr ? target_.fresh(rng_)
                                      : RandomBytes(target_.max_bytes, rng_);
    }
    const std::string& a = pool_[rng_.Below(pool_.size())];
    const std::string& b = pool_[rng_.Below(pool_.size())];
    if (rng_.OneIn(8)) {
      return target_.cross != nullptr
                 ? target_.cross(a, b, rng_)
                 : CrossBytes(a, b, target_.max_bytes, rng_);
    }
    return target_.mutate != nullptr && !rng_.OneIn(16)
               ? target_.mutate(a, rng_)
               : MutateBytes(a, target_.max_bytes, rng_);
  }

  bool TimeIsUp() const {
    if (options_.seconds == 0) return false;
    const auto spent = std::chrono::steady_clock::now() - start_;
    return spent >= std::chrono::seconds(options_.seconds);
  }

  const Target target_;
  const DriverOptions& options_;
  Rng rng_;
  std::vector<std::string> pool_;
  const std::chrono::steady_clock::time_point start_ =
      std::chrono::steady_clock::now();
};

int Main(int argc, char** argv) {
  const DriverOptions options = Parse(argc, argv);
  const std::vector<Target> targets = Targets();
  if (options.list) {
    for (const Target& target : targets) {
      std::printf("%-20s %s\n", target.name, target.summary);
    }
    return 0;
  }
  if (options.target.empty() && targets.size() != 1) {
    std::fprintf(stderr, "name one with --target=; --list names all\n");
    return 2;
  }
  if (!options.save.empty()) SaveOnFailure(options.save);
  Driver driver(
      options.target.empty() ? targets[0] : FindTarget(options.target),
      options);
  driver.Replay();
  driver.Smoke();
  // A lost corpus must not pass.
  return options.files.empty() && options.runs == 0 ? 1 : 0;
}

}  // namespace
}  // namespace berth::fuzz

int main(int argc, char** argv) { return berth::fuzz::Main(argc, argv); }
