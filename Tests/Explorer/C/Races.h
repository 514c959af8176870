#ifndef EXPLORER_RACES_H
#define EXPLORER_RACES_H

#include <stddef.h>
#include <stdint.h>

/// An access of instrumented code to ordinary memory.
struct access {
  /// The last byte of the instruction, counted from the start of the program.
  uint32_t instruction;
  uint16_t epoch;
  uint8_t fiber;
  uint8_t is_write;
};

/// Sets a function that is called when two accesses race. It must not return.
void races_follow(void (*_Nonnull did_race)(struct access earlier, struct access later));

/// Names the fiber that runs from now on.
///
/// @param clock The fiber's vector clock; null while no fiber runs.
/// @param fiber The fiber's place in clocks.
/// @param execution The execution. Accesses of an earlier one are void.
/// @param stack The low end of the fiber's stack, which no other fiber uses.
/// @param size The size of the stack.
void races_enter(
    const uint16_t *_Nullable clock, uint32_t fiber, uint32_t execution, const void *_Nullable stack,
    size_t size);

/// Takes in an access of the fiber that runs.
///
/// @param instruction The instruction after the access.
void races_note(const void *_Nonnull address, size_t size, int is_write, const void *_Nonnull instruction);

/// Takes in no accesses while the sum of all changes is positive.
void races_pause(int change);

#endif
