#ifndef SIMPLE_EVENTS_C_SIMPLE_EVENTS_H
#define SIMPLE_EVENTS_C_SIMPLE_EVENTS_H

#ifndef __APPLE__

/// Takes a strong reference to an object, unless its deinit has begun.
///
/// Swift has this as the load of a weak reference only, and that costs the object a side table.
///
/// @param object A native Swift object whose memory is there: held by an unowned reference at least.
/// @return The object, now with one reference more, which the caller must release; null if it is dying or dead.
void *_Nullable simple_events_try_retain(void *_Nonnull object);

#endif

#endif
