#define _GNU_SOURCE
#include "Crash.h"
#include "Releases.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The memory of the program may be damaged when the report is written, so the report allocates no memory.

enum { most = 64 };

static char scenario[128];
static long executions;
static int count;
static struct {
  int number, option;
} choices[most];

void crash_set_scenario(const char *name) {
  strncpy(scenario, name, sizeof(scenario) - 1);
  executions = 0;
}

void crash_begin(void) {
  executions += 1;
  count = 0;
}

void crash_add(int number, int option) {
  if (count < most) {
    choices[count].number = number;
    choices[count].option = option;
    count += 1;
  }
}

static void crashed(int signal) {
  char text[most * 24 + 512];
  // The releases that the report makes are not part of the execution.
  releases_enter(NULL, 0, 0);
  int end = snprintf(
      text, sizeof(text), "FAILED %s: a fault or a trap (signal %d)\n  --scenario %s --replay ", scenario,
      signal, scenario);
  if (count == 0)
    end += snprintf(text + end, sizeof(text) - end, "-");
  for (int i = 0; i < count; i++)
    end += snprintf(
        text + end, sizeof(text) - end, "%s%d:%d", i ? "," : "", choices[i].number, choices[i].option);
  end += snprintf(text + end, sizeof(text) - end, "\nfound after %ld executions of it\n", executions);
  if (write(STDOUT_FILENO, text, end) < 0)
    _exit(71);
  _exit(70);
}

void crash_install(void) {
  static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE};
  // The handler has its own stack, because the fault may be an overflow of a fiber's stack.
  static char stack[256 * 1024];
  sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof(stack)}, NULL);
  struct sigaction action = {.sa_flags = SA_ONSTACK | SA_RESETHAND | SA_NODEFER};
  action.sa_handler = crashed;
  for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
    sigaction(signals[i], &action, NULL);
  setvbuf(stdout, NULL, _IOLBF, 0);
}

void crash_exit(int status) {
  exit(status);
}
