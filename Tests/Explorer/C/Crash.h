#ifndef EXPLORER_CRASH_H
#define EXPLORER_CRASH_H

/// Has a fault, a trap or an abort report the execution before it ends the program.
void crash_install(void);

/// Names the scenario that is explored from now on.
void crash_set_scenario(const char *_Nonnull name);

/// Begins the record of an execution's choices.
void crash_begin(void);

/// Records an option that differs from zero.
void crash_add(int number, int option);

/// Writes all output and ends the process.
void crash_exit(int status) __attribute__((noreturn));

#endif
