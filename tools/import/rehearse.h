// Work that is other people's code on other people's data, tried where it
// cannot take us down.
#ifndef BERTH_TOOLS_IMPORT_REHEARSE_H_
#define BERTH_TOOLS_IMPORT_REHEARSE_H_

#include <functional>

namespace berth::import {

// Does `work` in a child process first, which says nothing, and gives the
// number of the signal that ended it (SIGFPE, SIGSEGV, SIGXCPU after
// `cpu_seconds`); 0 if it came to its end or no child could be made. What
// `work` changes, throws or allocates stays in the child. Thread-safety: of a
// program that has one thread. Cost: one fork, beside the work.
int SignalOf(const std::function<void()>& work, int cpu_seconds);

}  // namespace berth::import

#endif  // BERTH_TOOLS_IMPORT_REHEARSE_H_
