#include "CSimpleEvents.h"

#ifndef __APPLE__

// What the runtime exports for compiled code: a weak load is made of it. Declared here and not in Swift, whose
// compiler keeps the runtime's names to itself; and called from here, so that what it knows of retains and
// releases does not come across one that it has not made.
extern void *swift_tryRetain(void *object);

void *simple_events_try_retain(void *object) {
  return swift_tryRetain(object);
}

#endif
