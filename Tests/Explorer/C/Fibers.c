#define _GNU_SOURCE
#include "Fibers.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *fiber_allocate_stack(size_t size) {
  size_t guard = (size_t)sysconf(_SC_PAGESIZE);
  char *base = mmap(NULL, size + guard, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED || mprotect(base, guard, PROT_NONE) != 0)
    return NULL;
  return base + guard;
}

// EXPLORER_UCONTEXT selects the portable switch, which is slower, on this processor as well.
#if defined(__x86_64__) && !defined(EXPLORER_UCONTEXT)

// The registers that a function must preserve are saved on the stack that is left. A context is therefore
// only a stack pointer.
__asm__(
    ".text\n"
    ".globl fiber_switch\n"
    ".type fiber_switch, @function\n"
    "fiber_switch:\n"
    "  pushq %rbp\n"
    "  pushq %rbx\n"
    "  pushq %r12\n"
    "  pushq %r13\n"
    "  pushq %r14\n"
    "  pushq %r15\n"
    "  movq %rsp, (%rdi)\n"
    "  movq %rsi, %rsp\n"
    "  popq %r15\n"
    "  popq %r14\n"
    "  popq %r13\n"
    "  popq %r12\n"
    "  popq %rbx\n"
    "  popq %rbp\n"
    "  ret\n"
    ".size fiber_switch, . - fiber_switch\n");

void *fiber_make(void *stack, size_t size, void (*entry)(void)) {
  // The return address follows the six registers. After the return, the stack has the alignment that it has
  // after a call.
  uintptr_t top = ((uintptr_t)stack + size) & ~(uintptr_t)15;
  void **context = (void **)(top - 64);
  memset(context, 0, 64);
  context[6] = (void *)entry;
  return context;
}

#else

#include <ucontext.h>

void *fiber_make(void *stack, size_t size, void (*entry)(void)) {
  ucontext_t *context = stack;
  getcontext(context);
  context->uc_stack.ss_sp = context + 1;
  context->uc_stack.ss_size = size - sizeof(*context);
  context->uc_link = NULL;
  makecontext(context, entry, 0);
  return context;
}

void fiber_switch(void **saved, void *next) {
  ucontext_t own;
  *saved = &own;
  swapcontext(&own, next);
}

#endif

