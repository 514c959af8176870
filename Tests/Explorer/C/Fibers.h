#ifndef EXPLORER_FIBERS_H
#define EXPLORER_FIBERS_H

#include <stddef.h>

/// Maps a stack with a guard page at its low end.
///
/// @return The low end of the usable part; null if there is no memory.
void *_Nullable fiber_allocate_stack(size_t size);

/// Prepares a context that calls a function on a stack of its own. The function must not return.
///
/// @return The context, which is stored in the stack itself.
void *_Nonnull fiber_make(void *_Nonnull stack, size_t size, void (*_Nonnull entry)(void));

/// Saves the running context, and continues another context.
///
/// @param saved Receives the running context.
/// @param next A context that was made or saved, and was not continued since then.
void fiber_switch(void *_Nullable *_Nonnull saved, void *_Nonnull next);

#endif
