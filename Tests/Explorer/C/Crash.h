#ifndef EXPLORER_CRASH_H
#define EXPLORER_CRASH_H

/// Installs handlers of faults, traps and aborts. A handler reports the execution before it ends the program.
void crash_install(void);

/// Sets the name of the scenario that is explored from now on.
void crash_set_scenario(const char *_Nonnull name);

/// Begins to record the choices of an execution.
void crash_begin(void);

/// Records a choice whose option is not zero.
void crash_add(int number, int option);

/// Writes all output and ends the process.
void crash_exit(int status) __attribute__((noreturn));

#endif
