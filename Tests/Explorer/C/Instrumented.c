#define _GNU_SOURCE
#include "Races.h"
#include "Next.h"

#include <string.h>

// The functions that the compiler calls in code that it instruments for the thread sanitizer.

#define HERE __builtin_return_address(0)

#define ACCESS(size) \
  void __tsan_read##size(void *address) { races_note(address, size, 0, HERE); } \
  void __tsan_write##size(void *address) { races_note(address, size, 1, HERE); } \
  void __tsan_unaligned_read##size(void *address) { races_note(address, size, 0, HERE); } \
  void __tsan_unaligned_write##size(void *address) { races_note(address, size, 1, HERE); } \
  void __tsan_read_write##size(void *address) { races_note(address, size, 1, HERE); } \
  void __tsan_unaligned_read_write##size(void *address) { races_note(address, size, 1, HERE); }

ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

void *__tsan_memcpy(void *to, const void *from, size_t size) {
  races_note(from, size, 0, HERE);
  races_note(to, size, 1, HERE);
  return memcpy(to, from, size);
}

void *__tsan_memmove(void *to, const void *from, size_t size) {
  races_note(from, size, 0, HERE);
  races_note(to, size, 1, HERE);
  return memmove(to, from, size);
}

void *__tsan_memset(void *to, int byte, size_t size) {
  races_note(to, size, 1, HERE);
  return memset(to, byte, size);
}

// The only atomic words in instrumented code are those that the compiler creates for caches of metadata.

uint64_t __tsan_atomic64_load(const volatile uint64_t *word, int order) {
  return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

void __tsan_atomic64_store(volatile uint64_t *word, uint64_t value, int order) {
  __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}

void __tsan_init(void) {}

void __tsan_func_entry(void *caller) {}

void __tsan_func_exit(void) {}

// Called around a deinit, which the sanitizer does not check. The explorer knows the order of releases, so it
// checks the deinit.

void __tsan_ignore_thread_begin(void) {}

void __tsan_ignore_thread_end(void) {}

/// Called before a variable is changed in place. The code that changes the variable may not be instrumented.
void __tsan_external_write(void *address, void *caller, void *kind) {
  races_note(address, 1, 1, HERE);
}

/// Initialises a global variable. The runtime orders the initialisation before each use.
void swift_once(void *predicate, void (*initialise)(void *), void *context) {
  NEXT(void (*)(void *, void (*)(void *), void *), "swift_once");
  races_pause(1);
  next(predicate, initialise, context);
  races_pause(-1);
}
