#ifndef EXPLORER_RELEASES_H
#define EXPLORER_RELEASES_H

#include <stdint.h>

/// Names the fiber that runs from now on.
///
/// @param clock The fiber's vector clock; null while no fiber runs.
/// @param fiber The fiber's place in clocks.
/// @param execution The execution. Knowledge of an earlier one is void.
void releases_enter(uint16_t *_Nullable clock, uint32_t fiber, uint32_t execution);

#endif
