/*
 * A template, which the launcher holds at each of its forks (native/template.c). The interpreter forks once and in its own way, for
 * what it and its modules have to do then; this library is called by the C library before, and in the child. Only once the
 * interpreter has said so, for a module may fork while it is imported.
 *
 * That child is the template. It stays here, forks for each run, and never goes back into the interpreter: no module's code runs
 * between two runs. What it has forked for a run goes on as if it were the first child.
 */
#include "door.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* door/template.py sets it to `ready`. */
static const char VARIABLE[] = "SANDBOX_TEMPLATE";

static bool announced, went_in;

/* Of newer C libraries: calls nobody before or after. */
extern pid_t _Fork(void) __attribute__((weak));
static pid_t group;

bool is_template(void) { return getenv(VARIABLE) != NULL; }

/*
 * Nothing stays open that a child could use, no other process of the same user may look into this one, and who ends all processes
 * of its own group does not mean it.
 */
static void announce(void) {
  const char *state = getenv(VARIABLE);
  char letter;
  if (announced || went_in || !state || strcmp(state, "ready")) return;
  announced = true;
  int door = connect_to_launcher();
  group = getpgrp();
  if (prctl(PR_SET_DUMPABLE, 0) < 0 || setpgid(0, 0) < 0 || write(door, "r", 1) != 1) give_up("the door");
  read_exactly(door, &letter, 1);
  if (dup2(0, 1) < 0 || dup2(0, 2) < 0) give_up("its pipes");
  close(door);
}

/* The template's is one open file for all runs: a lock on it, or its flags, would outlive the run that set them. */
static void open_input(void) {
  int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (input < 0 || dup2(input, 0) < 0 || close(input) < 0) _exit(125);
}

/* How a run has ended it does not ask, or the next run would find it in its memory. The launcher lets it call nothing else. */
static void stay(void) {
  pid_t child;
  while ((child = _Fork()) > 0)
    while (waitpid(-1, NULL, 0) < 0 && errno == EINTR)
      ;
  if (child < 0) _exit(125);
}

static void go_in(void) {
  if (!announced || went_in) return; /* the run may fork as well */
  went_in = true;
  stay();
  if (setpgid(0, group) < 0 || prctl(PR_SET_DUMPABLE, 1) < 0) _exit(125);
  int door = connect_to_launcher();
  take_pipes(door);
  open_input();
  become_run(door, PYTHON, 0);
}

void await_forks(void) {
  if (!_Fork || pthread_atfork(announce, NULL, go_in) != 0) give_up("forks");
}
