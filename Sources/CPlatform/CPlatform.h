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
#include <sys/mman.h>
#include <sys/syscall.h>
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

/// Starts a thread with a small stack, for which nothing waits; returns zero or the number of an error.
static inline int platform_start_thread(
    void *_Nullable (*_Nonnull body)(void *_Nullable), void *_Nullable argument) {
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (error != 0) return error;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, 1 << 20);
  pthread_t thread;
  error = pthread_create(&thread, &attributes, body, argument);
  pthread_attr_destroy(&attributes);
  return error;
}

/// A change of a child process that a parent waits for.
struct platform_child_change {
  /// Whether the child has stopped; otherwise it has ended, and can still be waited for.
  bool is_stopped;
  /// The signal that has stopped the child, or its exit status, 128 + n if signal n has ended it.
  int value;
};

/// Waits until a child process stops or ends.
static inline struct platform_child_change platform_wait_for_change(pid_t process) {
  siginfo_t info = {0};
  while (waitid(P_PID, (id_t)process, &info, WEXITED | WSTOPPED | WNOWAIT) != 0 && errno == EINTR) {}
  struct platform_child_change change = {info.si_code == CLD_STOPPED, info.si_status};
  if (change.is_stopped) {
    // So that the next call does not report the same change. The end of a process stays.
    waitid(P_PID, (id_t)process, &info, WSTOPPED | WNOHANG);
  } else if (info.si_code != CLD_EXITED) {
    change.value += 128;
  }
  return change;
}

/// Sends a signal to a process: `kill`, by a name that a method may have.
static inline void platform_kill(pid_t process, int number) { kill(process, number); }

/// Makes a file that has no name and no place in a file system; negative where there is no such thing.
static inline int platform_anonymous_file(const char *_Nonnull name) {
#ifdef SYS_memfd_create
  return (int)syscall(SYS_memfd_create, name, 1U /* MFD_CLOEXEC */);
#else
  (void)name;
  errno = ENOSYS;
  return -1;
#endif
}

/// Whether the system has so much memory for the program. Not asked by `malloc`, which a compiler may leave
/// out.
static inline bool platform_has_memory(size_t size) {
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
  return memory != MAP_FAILED && munmap(memory, size) == 0;
}

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
