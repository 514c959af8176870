#ifndef CPLATFORM_H
#define CPLATFORM_H

// The functions of POSIX, imported by one name on all platforms. Those that Swift does not import from C,
// because they are variadic, macros or variables, have functions here.

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// The error of the function of the C library that has just failed on this thread: `errno`.
static inline int platform_error(void) { return errno; }

/// Opens a file: `open`, of which the mode is used only with `O_CREAT`.
static inline int platform_open(const char *_Nonnull path, int flags, mode_t mode) {
  return open(path, flags, mode);
}

/// The flags of a file descriptor; negative if no file has this number.
static inline int platform_descriptor_flags(int file) { return fcntl(file, F_GETFD); }

/// Closes a file when a program is executed.
static inline void platform_set_close_on_exec(int file) { fcntl(file, F_SETFD, FD_CLOEXEC); }

/// Asks for the size of a terminal; returns zero if the file is one.
static inline int platform_window_size(int file, struct winsize *_Nonnull size) {
  return ioctl(file, TIOCGWINSZ, size);
}

/// Ignores a signal.
static inline void platform_ignore_signal(int number) { signal(number, SIG_IGN); }

/// Gives a signal its default action.
static inline void platform_reset_signal(int number) { signal(number, SIG_DFL); }

/// Whether a signal is ignored.
static inline bool platform_is_signal_ignored(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// The variables of the environment, `NAME=value`, with a null pointer after the last one.
static inline char *_Nullable *_Nonnull platform_environment(void) {
  extern char **environ;
  return environ;
}

#endif
