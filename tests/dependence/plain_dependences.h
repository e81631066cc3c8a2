// The plain twin of dependence.h: follows every access along every edge, byte
// position by byte position. Quadratic and worse; shares no code with it.
#ifndef BERTH_TESTS_DEPENDENCE_PLAIN_DEPENDENCES_H_
#define BERTH_TESTS_DEPENDENCE_PLAIN_DEPENDENCES_H_

#include <vector>

#include "allocator/dependence/dependence.h"
#include "allocator/model/program.h"

namespace berth::testing {

std::vector<Dependence> PlainFdeps(const Function& function);
std::vector<Dependence> PlainPlacementDependences(const Function& function,
                                                  Space space);

}  // namespace berth::testing

#endif  // BERTH_TESTS_DEPENDENCE_PLAIN_DEPENDENCES_H_
