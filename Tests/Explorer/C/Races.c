#define _GNU_SOURCE
#include "Races.h"

#include <malloc.h>
#include <string.h>

// Checks the accesses of the library's code to ordinary memory. The compiler instruments the code for its
// thread sanitizer. The sanitizer's runtime is not linked: this file replaces it. The file records the latest
// accesses to each word of memory, and compares each new access with them by the engine's vector clocks.

enum {
  width = 8,
  capacity = 1 << 14,
  probes = 64,
  /// The number of recorded accesses to one word.
  depth = 6,
};

struct record {
  struct access access;
  /// The bytes of the word that the access covers.
  uint8_t bytes;
};

struct word {
  uintptr_t address;
  uint32_t execution;
  uint32_t count;
  struct record records[depth];
};

static struct word words[capacity];

/// The vector clock of the running fiber.
static const uint16_t *own_clock;
static uint32_t own_fiber;
static uint32_t execution;
static uintptr_t own_stack;
static size_t stack_size;

/// The number of reasons for which accesses are not checked.
static int pauses;

static void (*did_race)(struct access, struct access);

extern const char __executable_start;

extern _Bool _swift_disableExclusivityChecking;

static struct word *find(uintptr_t address, int adds) {
  size_t place = (address >> 3) * 0x9E3779B97F4A7C15u >> 40;
  for (size_t i = 0; i < probes; i++) {
    struct word *word = &words[(place + i) % capacity];
    if (word->execution != execution) {
      if (!adds)
        return NULL;
      word->address = address;
      word->execution = execution;
      word->count = 0;
      return word;
    }
    if (word->address == address)
      return word;
  }
  return NULL;
}

static void visit(uintptr_t address, uint8_t bytes, int is_write, const void *instruction) {
  struct word *word = find(address, 1);
  if (!word)
    return;
  struct access own = {
      .instruction = (uint32_t)((const char *)instruction - &__executable_start) - 1,
      .epoch = own_clock[own_fiber],
      .fiber = (uint8_t)own_fiber,
      .is_write = (uint8_t)is_write,
  };
  uint32_t kept = 0;
  for (uint32_t i = 0; i < word->count; i++) {
    struct record *record = &word->records[i];
    if (record->access.epoch > own_clock[record->access.fiber]) {
      if (record->bytes & bytes && (is_write || record->access.is_write) && record->access.fiber != own_fiber)
        did_race(record->access, own);
    } else if (!(record->bytes & ~bytes) && (is_write || !record->access.is_write)) {
      // An access that races with the earlier access also races with this one.
      continue;
    }
    word->records[kept++] = *record;
  }
  if (kept == depth) {
    memmove(word->records, word->records + 1, sizeof(*word->records) * (depth - 1));
    kept -= 1;
  }
  word->records[kept] = (struct record){.access = own, .bytes = bytes};
  word->count = kept + 1;
}

void races_note(const void *pointer, size_t size, int is_write, const void *instruction) {
  uintptr_t address = (uintptr_t)pointer;
  if (!own_clock || pauses || address - own_stack < stack_size)
    return;
  while (size > 0) {
    size_t offset = address % width;
    size_t part = size < width - offset ? size : width - offset;
    visit(address - offset, (uint8_t)(((1u << part) - 1) << offset), is_write, instruction);
    address += part;
    size -= part;
  }
}

/// Removes the recorded accesses to memory that is freed.
static void forget(void *memory) {
  if (!own_clock || !memory)
    return;
  uintptr_t address = (uintptr_t)memory;
  uintptr_t end = address + malloc_usable_size(memory);
  for (; address < end; address += width) {
    struct word *word = find(address, 0);
    if (word)
      word->count = 0;
  }
}

void races_pause(int change) {
  pauses += change;
}

void races_follow(void (*function)(struct access, struct access)) {
  did_race = function;
  // The runtime tracks accesses by thread, so accesses of different fibers would count as nested.
  _swift_disableExclusivityChecking = 1;
}

void races_enter(
    const uint16_t *clock, uint32_t fiber, uint32_t new_execution, const void *stack, size_t size) {
  own_clock = clock;
  own_fiber = fiber;
  if (execution != new_execution)
    pauses = 0;
  execution = new_execution;
  own_stack = (uintptr_t)stack;
  stack_size = size;
}

// These functions replace the system's functions of the same names.

extern void __libc_free(void *memory);
extern void *__libc_realloc(void *memory, size_t size);

void free(void *memory) {
  forget(memory);
  __libc_free(memory);
}

void *realloc(void *memory, size_t size) {
  forget(memory);
  return __libc_realloc(memory, size);
}
