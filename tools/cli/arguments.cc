#include "tools/cli/arguments.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "tools/cli/exit_codes.h"

namespace berth {
namespace {

constexpr char kFooter[] =
    "Exit codes:\n"
    "  0  fine\n"
    "  1  the answer is no (does not fit, over budget, regression found,\n"
    "     planners differ)\n"
    "  2  bad usage or bad input\n"
    "  3  an invariant is broken\n"
    "Messages go to standard error, results to standard output.\n"
    "Byte-valued options take bytes or a suffix KiB, MiB, GiB.";

std::string FailureMessage(const CLI::App*, const CLI::Error& error) {
  return absl::StrCat("berth: ", error.what(),
                      "\nRun with --help for more information.\n");
}

bool HasCommand(CLI::App& app, const std::string& name) {
  return !app.get_subcommands([&name](CLI::App* command) {
               return command->get_name() == name;
             })
              .empty();
}

}  // namespace

Argument& Argument::Required() {
  option_->required();
  return *this;
}

Argument& Argument::Type(const std::string& name) {
  option_->type_name(name);
  return *this;
}

Argument& Argument::Group(const std::string& name) {
  option_->group(name);
  return *this;
}

Argument& Argument::OneEach() {
  option_->allow_extra_args(false);
  return *this;
}

Argument Command::Flag(const std::string& name, bool& target,
                       const std::string& help) {
  return Argument(app_->add_flag(name, target, help));
}

Argument Command::Nothing(const std::string& name, const std::string& help) {
  return Argument(app_->add_flag(name, help));
}

Argument Command::Text(const std::string& name, std::string& target,
                       const std::string& help) {
  return Argument(app_->add_option(name, target, help)->type_name(""));
}

Argument Command::Texts(const std::string& name,
                        std::vector<std::string>& target,
                        const std::string& help) {
  return Argument(app_->add_option(name, target, help)->type_name(""));
}

Argument Command::Checked(const std::string& name, const std::string& help,
                          const std::string& expected,
                          std::function<bool(const std::string&)> take) {
  const auto own = std::make_shared<const CLI::Option*>(nullptr);
  CLI::Option* option = app_->add_option(
      name,
      [own, expected, take = std::move(take)](const CLI::results_t& texts) {
        if (take(texts.back())) return true;
        const std::string type = (*own)->get_type_name();
        throw CLI::ValidationError(absl::StrCat(
            (*own)->get_name(), " '", texts.back(),
            "': ", expected.empty() ? type : expected, " is expected"));
      },
      help);
  *own = option;
  return Argument(option);
}

Argument Command::Parsed(const std::string& name, const std::string& help,
                         std::function<bool(const std::string&)> take) {
  return Checked(name, help, "", std::move(take));
}

Argument Command::Int(const std::string& name, int64_t& target, int64_t least,
                      int64_t most, const std::string& help) {
  const std::string expected = absl::StrCat(
      "a whole number from ", least,
      most == std::numeric_limits<int64_t>::max() ? " up"
                                                  : absl::StrCat(" to ", most));
  return Checked(
      name, help, expected, [&target, least, most](const std::string& text) {
        int64_t value = 0;
        if (!absl::SimpleAtoi(text, &value) || value < least || value > most) {
          return false;
        }
        target = value;
        return true;
      });
}

Argument Command::Unsigned(const std::string& name, uint64_t& target,
                           const std::string& help) {
  return Checked(name, help, "a whole number",
                 [&target](const std::string& text) {
                   return absl::SimpleAtoi(text, &target);
                 });
}

Argument Command::Real(const std::string& name, double& target,
                       const std::string& help) {
  return Checked(name, help, "a number", [&target](const std::string& text) {
    return absl::SimpleAtod(text, &target);
  });
}

bool Command::Given(const std::string& name) const {
  return app_->count(name) > 0;
}

Arguments::Arguments()
    : app_(std::make_unique<CLI::App>(
          "Places tensors in accelerator DRAM at compile time.", "berth")) {
  app_->footer(kFooter);
  app_->require_subcommand(1);
  app_->failure_message(FailureMessage);
  app_->get_formatter()->column_width(34);
}

Arguments::~Arguments() = default;

void Arguments::Version(const std::string& text) {
  app_->set_version_flag("--version", text, "print version and build, exit");
}

Command Arguments::Add(const std::string& name, const std::string& summary,
                       Run run) {
  CLI::App* app = app_->add_subcommand(name, summary);
  app->footer(kFooter);
  if (run) app->callback([this, run = std::move(run)] { chosen_ = run; });
  return Command(app);
}

Command Arguments::AddBelow(const std::string& parent, const std::string& name,
                            const std::string& summary, Run run) {
  CLI::App* above = app_->get_subcommand(parent);
  above->require_subcommand(1);
  CLI::App* app = above->add_subcommand(name, summary);
  app->footer(kFooter);
  app->callback([this, run = std::move(run)] { chosen_ = run; });
  return Command(app);
}

int Arguments::ParseAndRun(int argc, char** argv) {
  try {
    // CLI11 itself would only ask for a command.
    if (argc > 1 && argv[1][0] != '-' && !HasCommand(*app_, argv[1])) {
      throw CLI::ValidationError(
          absl::StrCat("there is no command '", argv[1], "'"));
    }
    app_->parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app_->exit(help);
  } catch (const CLI::CallForAllHelp& help) {
    return app_->exit(help);
  } catch (const CLI::CallForVersion& version) {
    return app_->exit(version);
  } catch (const CLI::ParseError& error) {
    app_->exit(error);
    return kExitUsage;
  }
  return chosen_();
}

}  // namespace berth
