#ifndef EXPLORER_TRACKING_H
#define EXPLORER_TRACKING_H

#include <stdint.h>

/// The thread-local variables of the Observation module, with the list of the properties that a closure has
/// read. All are zero on a thread that has not used the module.
struct tracking {
  uint64_t words[4];
};

/// An operation on a lock of the Observation module.
enum tracking_operation {
  tracking_operation_make,
  tracking_operation_lock,
  tracking_operation_unlock,
};

/// Finds the Observation module, and sets a function that is called before each operation on its locks.
///
/// @return Zero if the module was not found, or if its variables cannot be kept for each fiber.
int tracking_follow(
    void (*_Nonnull will_operate)(enum tracking_operation operation, const void *_Nonnull lock));

/// Saves the variables of the previous fiber, and restores the variables of another fiber.
///
/// @param saved Receives the variables of the previous fiber; null if they are not needed again.
/// @param next The variables of the fiber that runs from now on.
void tracking_switch(struct tracking *_Nullable saved, const struct tracking *_Nonnull next);

#endif
