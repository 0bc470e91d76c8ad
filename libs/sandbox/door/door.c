/*
 * Loaded by an interpreter that was started before there was a run for it (see docs/decisions/warm-interpreters.md).
 * Loading it takes until the run is there: the library connects to the launcher, waits, and then makes of this process what
 * it would be if it had been started with the run's arguments and environment. The interpreter's own half of that is in
 * python.py and node.cjs beside this file, which read both from /proc/self afterwards.
 *
 * It is no module of any interpreter: it exports nothing and needs nothing but the C library. Whatever it must find in an
 * interpreter's memory it finds before it says that it is ready, or it ends, and that interpreter is started when it is asked for.
 */
#include "door.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((constructor)) static void wait_for_run(int count, char **arguments) {
  enum kind kind = OTHER;
  if (count > 1 && !strncmp(arguments[0], "python", 6)) kind = PYTHON;
  if (count > 1 && !strcmp(arguments[0], "node")) kind = NODE;
  int door = kind == PYTHON && is_template() ? -1 : connect_to_launcher();
  read_memory_map();
  if (kind == PYTHON) find_names(arguments[1]);
  if (kind == NODE) find_start(), find_command_lines(arguments[1]);
  int64_t since = now_ns(CLOCK_MONOTONIC);
  if (door < 0) {
    await_forks();
    return;
  }
  /* Ready: everything that could fail has been tried but for what the run brings. */
  if (write(door, "r", 1) != 1) give_up("the door");
  if (getenv("SANDBOX_STAYS")) take_pipes(door); /* those that it was started with belong to no run */
  become_run(door, kind, since);
}
