#ifndef EXPLORER_RELEASES_H
#define EXPLORER_RELEASES_H

#include <stdint.h>

/// An operation on an object that others may have weak references to.
enum weak_operation {
  /// The last strong reference is about to be released.
  weak_operation_release,
  /// A weak reference is about to be asked for a strong one.
  weak_operation_load,
  /// A weak reference has yielded a strong one.
  weak_operation_did_load,
};

/// Sets a function that is called before each such operation of a fiber.
void releases_follow(void (*_Nonnull will_operate)(enum weak_operation operation));

/// Names the fiber that runs from now on.
///
/// @param clock The fiber's vector clock; null while no fiber runs.
/// @param fiber The fiber's place in clocks.
/// @param execution The execution. Knowledge of an earlier one is void.
void releases_enter(uint16_t *_Nullable clock, uint32_t fiber, uint32_t execution);

/// The number of unowned references to an object, one of which is of the object itself until it is
/// deallocated.
uint32_t releases_unowned_count(const void *_Nonnull object);

#endif
