#define _GNU_SOURCE
#include "Releases.h"
#include "Next.h"

#include <stddef.h>

// Tracks the order that reference counts establish: each release of an object happens before the object's
// deinit. Without this order, a deinit could read values that other threads replaced before they released
// their references.

enum { width = 16, capacity = 1024, probes = 16 };

struct entry {
  void *object;
  uint32_t execution;
  /// The joined vector clocks of the fibers that have released the object.
  uint16_t clock[width];
};

/// The vector clock of the running fiber.
static uint16_t *own_clock;
static uint32_t own_fiber;
static uint32_t execution;

static void (*will_operate)(enum weak_operation);

static struct entry entries[capacity];

extern size_t swift_retainCount(void *object);
extern size_t swift_unownedRetainCount(void *object);
extern size_t swift_weakRetainCount(void *object);

static struct entry *find(void *object, int adds) {
  size_t place = ((uintptr_t)object >> 4) * 0x9E3779B1u;
  struct entry *unused = NULL;
  for (size_t i = 0; i < probes; i++) {
    struct entry *entry = &entries[(place + i) % capacity];
    if (entry->execution != execution) {
      unused = unused ? unused : entry;
      break;
    }
    if (entry->object == object)
      return entry;
    if (entry->object == NULL && !unused)
      unused = entry;
  }
  if (!adds || !unused)
    return NULL;
  *unused = (struct entry){.object = object, .execution = execution};
  return unused;
}

static void join(uint16_t *clock, const uint16_t *other) {
  for (int i = 0; i < width; i++)
    clock[i] = clock[i] > other[i] ? clock[i] : other[i];
}

/// Called before references to an object are released.
static void note(void *object, uint32_t count) {
  // A word that is not an address stands for an object that is never released.
  if (!own_clock || (intptr_t)object <= 0)
    return;
  size_t references = swift_retainCount(object);
  if (references > 1 << 20)
    return;
  if (references == count && (swift_unownedRetainCount(object) > 1 || swift_weakRetainCount(object) > 1)) {
    will_operate(weak_operation_release);
    references = swift_retainCount(object);
  }
  struct entry *entry = find(object, references > count);
  if (!entry)
    return;
  if (references > count) {
    join(entry->clock, own_clock);
    own_clock[own_fiber] += 1;
  } else {
    join(own_clock, entry->clock);
    entry->object = NULL;
  }
}

// These functions replace the runtime's functions of the same names.

void swift_release(void *object) {
  NEXT(void (*)(void *), "swift_release");
  note(object, 1);
  next(object);
}

void swift_release_n(void *object, uint32_t count) {
  NEXT(void (*)(void *, uint32_t), "swift_release_n");
  note(object, count);
  next(object, count);
}

/// Called when the owner of the only reference changes the object in place: all other releases happen before
/// the change.
static _Bool acquire(_Bool is_unique, const void *object) {
  struct entry *entry = is_unique && own_clock ? find((void *)object, 0) : NULL;
  if (entry)
    join(own_clock, entry->clock);
  return is_unique;
}

_Bool swift_isUniquelyReferenced_native(const void *object) {
  NEXT(_Bool (*)(const void *), "swift_isUniquelyReferenced_native");
  return acquire(next(object), object);
}

_Bool swift_isUniquelyReferenced_nonNull_native(const void *object) {
  NEXT(_Bool (*)(const void *), "swift_isUniquelyReferenced_nonNull_native");
  return acquire(next(object), object);
}

/// Loads a weak reference. There is a choice before the load, and another choice while the loaded reference
/// may be the last.
static void *load(void *(*next)(void *), void *argument) {
  if (own_clock)
    will_operate(weak_operation_load);
  void *object = next(argument);
  if (own_clock && object)
    will_operate(weak_operation_did_load);
  return object;
}

void *swift_tryRetain(void *object) {
  NEXT(void *(*)(void *), "swift_tryRetain");
  return load(next, object);
}

void *swift_weakLoadStrong(void *reference) {
  NEXT(void *(*)(void *), "swift_weakLoadStrong");
  return load(next, reference);
}

void releases_follow(void (*function)(enum weak_operation)) {
  will_operate = function;
}

void releases_enter(uint16_t *clock, uint32_t fiber, uint32_t new_execution) {
  own_clock = clock;
  own_fiber = fiber;
  execution = new_execution;
}

uint32_t releases_unowned_count(const void *object) {
  return (uint32_t)swift_unownedRetainCount((void *)object);
}
