#ifndef CPLATFORM_H
#define CPLATFORM_H

// With this module, programs import the functions of POSIX in the same way on all platforms. It wraps
// variadic functions, macros and variables that Swift does not import from C.

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

/// The value of `errno`: the error of the C library function that has just failed on this thread.
static inline int platform_error(void) { return errno; }

/// Opens a file with `open`, which is variadic. The mode is used only with `O_CREAT`.
static inline int platform_open(const char *_Nonnull path, int flags, mode_t mode) {
  return open(path, flags, mode);
}

/// The flags of a file descriptor; negative if the descriptor is not open.
static inline int platform_descriptor_flags(int file) { return fcntl(file, F_GETFD); }

/// Marks a file descriptor, so that the system closes it when this process executes another program.
static inline void platform_set_close_on_exec(int file) { fcntl(file, F_SETFD, FD_CLOEXEC); }

/// Reads the size of a terminal; returns zero if the file is a terminal, and a negative number otherwise.
static inline int platform_window_size(int file, struct winsize *_Nonnull size) {
  return ioctl(file, TIOCGWINSZ, size);
}

/// Ignores a signal.
static inline void platform_ignore_signal(int number) { signal(number, SIG_IGN); }

/// Gives a signal its default action.
static inline void platform_reset_signal(int number) { signal(number, SIG_DFL); }

/// Starts a detached thread with a stack of 1 MiB; returns zero, or the number of an error.
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

/// A change of the state of a child process.
struct platform_child_change {
  /// True if the child has stopped, false if it has ended. A child that has ended can still be waited for.
  bool is_stopped;
  /// The signal that has stopped the child, or the exit status of a child that has ended. If signal n has
  /// ended the child, the status is 128 + n.
  int value;
};

/// Waits until a child process stops or ends.
static inline struct platform_child_change platform_wait_for_change(pid_t process) {
  siginfo_t info = {0};
  while (waitid(P_PID, (id_t)process, &info, WEXITED | WSTOPPED | WNOWAIT) != 0 && errno == EINTR) {}
  struct platform_child_change change = {info.si_code == CLD_STOPPED, info.si_status};
  if (change.is_stopped) {
    // This consumes the change, so that the next call does not report it. The end of a process is not
    // consumed.
    waitid(P_PID, (id_t)process, &info, WSTOPPED | WNOHANG);
  } else if (info.si_code != CLD_EXITED) {
    change.value += 128;
  }
  return change;
}

/// Continues a child that has stopped, if no call of `platform_wait_for_change` has reported the stop.
/// Returns false if there is no such child.
static inline bool platform_continue_stopped_child(void) {
  siginfo_t info = {0};
  return waitid(P_ALL, 0, &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 && info.si_pid > 0
    && kill(info.si_pid, SIGCONT) == 0;
}

/// Sends a signal to a process. This is `kill` under another name, because a Swift method named `kill` hides
/// that function.
static inline void platform_kill(pid_t process, int number) { kill(process, number); }

/// Creates a file in memory, outside of any file system; returns a negative number if the system has no such
/// files.
static inline int platform_anonymous_file(const char *_Nonnull name) {
#ifdef SYS_memfd_create
  return (int)syscall(SYS_memfd_create, name, 1U /* MFD_CLOEXEC */);
#else
  (void)name;
  errno = ENOSYS;
  return -1;
#endif
}

/// Whether the program can allocate this much memory. `malloc` is not used, because a compiler may remove an
/// allocation that is freed without use.
static inline bool platform_has_memory(size_t size) {
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
  return memory != MAP_FAILED && munmap(memory, size) == 0;
}

/// Whether a signal is ignored.
static inline bool platform_is_signal_ignored(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// The variables of the environment in the form `NAME=value`. A null pointer follows the last one.
static inline char *_Nullable *_Nonnull platform_environment(void) {
  extern char **environ;
  return environ;
}

#endif
