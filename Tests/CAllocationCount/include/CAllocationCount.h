#ifndef SIMPLE_EVENTS_C_ALLOCATION_COUNT_H
#define SIMPLE_EVENTS_C_ALLOCATION_COUNT_H

/// The number of allocations of the calling thread since its start; -1 if they are not counted.
long allocation_count(void);

#endif
