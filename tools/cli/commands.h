// The commands of `berth` (cli.md). Each function adds one subcommand to the
// app and, when that subcommand was chosen, sets `run` to what it does; `run`
// returns the exit code. A command lives in a file of its own, cmd_NAME.cc.
#ifndef BERTH_TOOLS_CLI_COMMANDS_H_
#define BERTH_TOOLS_CLI_COMMANDS_H_

#include "tools/cli/arguments.h"

namespace berth {

void AddPlan(Arguments& arguments);
void AddRace(Arguments& arguments);
void AddCheck(Arguments& arguments);
void AddShow(Arguments& arguments);
void AddExplain(Arguments& arguments);
void AddGen(Arguments& arguments);
void AddConvert(Arguments& arguments);
void AddPasses(Arguments& arguments);
void AddSplit(Arguments& arguments);
void AddDiff(Arguments& arguments);
void AddShrink(Arguments& arguments);
void AddSimulate(Arguments& arguments);
void AddPerf(Arguments& arguments);

}  // namespace berth

#endif  // BERTH_TOOLS_CLI_COMMANDS_H_
