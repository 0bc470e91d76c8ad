/* How a process that has waited becomes its run: the launcher says at the door what the run is given. */
#include "door.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

/* See let_in() in native/waiting.c: sizes in bytes of strings that end in NUL, one after another. */
struct head {
  uint32_t arguments, environment, readable;
};

/* From here on /proc/self/cmdline, /proc/self/environ and getenv() say what they say of a process started with them. */
static void take_words(char *words, const struct head *head) {
  size_t count = 0;
  char *first = words + head->arguments, *end = first + head->environment;
  for (char *at = first; at < end; at += strlen(at) + 1) count++;
  char **variables = calloc(count + 1, sizeof *variables);
  if (!variables) give_up("memory");
  count = 0;
  for (char *at = first; at < end; at += strlen(at) + 1) variables[count++] = at;
  environ = variables;
  memory_map.brk = (uintptr_t)sbrk(0);
  memory_map.arg_start = (uintptr_t)words;
  memory_map.arg_end = memory_map.env_start = (uintptr_t)first;
  memory_map.env_end = (uintptr_t)end;
  if (prctl(PR_SET_MM, PR_SET_MM_MAP, &memory_map, sizeof memory_map, 0) < 0) give_up("arguments");
}

/* Where the run's directories are there, it is given its words. */
void become_run(int door, enum kind kind, int64_t since) {
  struct head head;
  read_exactly(door, &head, sizeof head);
  size_t length = (size_t)head.arguments + head.environment + head.readable;
  char *words = mmap(NULL, length + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (words == MAP_FAILED) give_up("memory");
  read_exactly(door, words, length);

  char *path = words + head.arguments + head.environment;
  for (uint32_t index = 0; path < words + length; path += strlen(path) + 1, index++) {
    if (access(path, R_OK) == 0) continue;
    if (write(door, &index, sizeof index) < 0) give_up(path);
    _exit(125);
  }
  /* The folder that we were started in lies under the run's. */
  if (chdir("/app") < 0) give_up("/app");
  memset(words + head.arguments + head.environment, 0, head.readable);
  take_words(words, &head);
  if (kind == PYTHON) rename_program(words + strlen(words) + 1);
  if (kind == NODE) forget_time(now_ns(CLOCK_MONOTONIC) - since), replace_command_lines(words, head.arguments);
  close(door);
}
