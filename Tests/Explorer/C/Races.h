#ifndef EXPLORER_RACES_H
#define EXPLORER_RACES_H

#include <stddef.h>
#include <stdint.h>

/// An access of instrumented code to ordinary memory.
struct access {
  /// The last byte of the instruction, as an offset from the start of the program.
  uint32_t instruction;
  uint16_t epoch;
  uint8_t fiber;
  uint8_t is_write;
};

/// Sets a function that is called when two accesses race. It must not return.
void races_follow(void (*_Nonnull did_race)(struct access earlier, struct access later));

/// Sets the fiber that runs from now on.
///
/// @param clock The fiber's vector clock; null while no fiber runs.
/// @param fiber The fiber's index in vector clocks.
/// @param execution The number of the execution. Accesses of earlier executions are void.
/// @param stack The low end of the fiber's stack, which no other fiber uses.
/// @param size The size of the stack.
void races_enter(
    const uint16_t *_Nullable clock, uint32_t fiber, uint32_t execution, const void *_Nullable stack,
    size_t size);

/// Records and checks an access of the running fiber.
///
/// @param instruction The address of the instruction after the access.
void races_note(const void *_Nonnull address, size_t size, int is_write, const void *_Nonnull instruction);

/// Changes the number of reasons for which accesses are not checked. They are checked while it is zero.
void races_pause(int change);

#endif
