// BERTH_RETURN_IF_ERROR and BERTH_ASSIGN_OR_RETURN: early return of an error.
#ifndef BERTH_ALLOCATOR_BASE_STATUS_MACROS_H_
#define BERTH_ALLOCATOR_BASE_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#define BERTH_RETURN_IF_ERROR(expression)        \
  do {                                           \
    ::absl::Status berth_status = (expression);  \
    if (!berth_status.ok()) return berth_status; \
  } while (false)

#define BERTH_CONCAT_INNER_(a, b) a##b
#define BERTH_CONCAT_(a, b) BERTH_CONCAT_INNER_(a, b)

// `left` may declare: BERTH_ASSIGN_OR_RETURN(const Program p, Read(text));
#define BERTH_ASSIGN_OR_RETURN(left, expression)                          \
  BERTH_ASSIGN_OR_RETURN_(BERTH_CONCAT_(berth_statusor_, __LINE__), left, \
                          expression)

#define BERTH_ASSIGN_OR_RETURN_(holder, left, expression) \
  auto holder = (expression);                             \
  if (!holder.ok()) return std::move(holder).status();    \
  left = *std::move(holder)

#endif  // BERTH_ALLOCATOR_BASE_STATUS_MACROS_H_
