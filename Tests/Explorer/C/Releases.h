#ifndef EXPLORER_RELEASES_H
#define EXPLORER_RELEASES_H

#include <stdint.h>

/// An operation on an object to which other fibers may have weak references.
enum weak_operation {
  /// The last strong reference is about to be released.
  weak_operation_release,
  /// A weak reference is about to be loaded as a strong reference.
  weak_operation_load,
  /// A weak reference was loaded as a strong reference.
  weak_operation_did_load,
};

/// Sets a function that is called before each such operation of a fiber.
void releases_follow(void (*_Nonnull will_operate)(enum weak_operation operation));

/// Sets the fiber that runs from now on.
///
/// @param clock The fiber's vector clock; null while no fiber runs.
/// @param fiber The fiber's index in vector clocks.
/// @param execution The number of the execution. Clocks of earlier executions are void.
void releases_enter(uint16_t *_Nullable clock, uint32_t fiber, uint32_t execution);

/// Returns the number of unowned references to an object. Until its deallocation, the object itself holds
/// one of them.
uint32_t releases_unowned_count(const void *_Nonnull object);

#endif
