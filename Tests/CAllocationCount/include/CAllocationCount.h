#ifndef SIMPLE_EVENTS_C_ALLOCATION_COUNT_H
#define SIMPLE_EVENTS_C_ALLOCATION_COUNT_H

/// How often the calling thread has asked for memory so far; -1 where that is not counted.
long allocation_count(void);

#endif
