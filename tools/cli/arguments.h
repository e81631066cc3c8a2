// Commands and their arguments: a thin face of CLI11, which one file
// (arguments.cc) includes, since every file that does costs ten seconds of
// compiling.
#ifndef BERTH_TOOLS_CLI_ARGUMENTS_H_
#define BERTH_TOOLS_CLI_ARGUMENTS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace berth {

// What a chosen command does; returns the exit code.
using Run = std::function<int()>;

// One argument. Targets must live as long as the app.
class Argument {
 public:
  explicit Argument(CLI::Option* option) : option_(option) {}
  Argument& Required();
  Argument& Type(const std::string& name);   // shown in --help
  Argument& Group(const std::string& name);  // heading in --help
  // Of Texts(): each flag takes one value, so that positionals may follow.
  Argument& OneEach();

 private:
  CLI::Option* option_;
};

class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}

  // `name`: "INPUT" is positional, "-o,--out" an option.
  Argument Flag(const std::string& name, bool& target, const std::string& help);
  // A flag that says what is so anyway; Given() tells of it.
  Argument Nothing(const std::string& name, const std::string& help);
  Argument Text(const std::string& name, std::string& target,
                const std::string& help);
  Argument Texts(const std::string& name, std::vector<std::string>& target,
                 const std::string& help);
  // `take` says whether the text is a value and keeps it.
  Argument Parsed(const std::string& name, const std::string& help,
                  std::function<bool(const std::string&)> take);
  Argument Int(const std::string& name, int64_t& target, int64_t least,
               int64_t most, const std::string& help);
  Argument Unsigned(const std::string& name, uint64_t& target,
                    const std::string& help);
  Argument Real(const std::string& name, double& target,
                const std::string& help);
  bool Given(const std::string& name) const;

 private:
  // As Parsed(). A refusal says that `expected` is, or if that is empty what
  // Type() named.
  Argument Checked(const std::string& name, const std::string& help,
                   const std::string& expected,
                   std::function<bool(const std::string&)> take);

  CLI::App* app_;
};

// The whole of `berth`: its commands, its help, its exit codes.
class Arguments {
 public:
  Arguments();
  ~Arguments();

  // What --version prints.
  void Version(const std::string& text);

  // A command below `berth`, or below the command `parent` ("perf"), which then
  // is added with an empty `run`.
  Command Add(const std::string& name, const std::string& summary, Run run);
  Command AddBelow(const std::string& parent, const std::string& name,
                   const std::string& summary, Run run);

  // Parses and runs what was chosen; prints help or a usage error itself.
  int ParseAndRun(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
  Run chosen_;
};

}  // namespace berth

#endif  // BERTH_TOOLS_CLI_ARGUMENTS_H_
