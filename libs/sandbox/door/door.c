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
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* In the name space of sockets that goes with the box's network; native/waiting.c listens there. */
static const char DOOR[] = "\0door";

/* See let_in() in native/waiting.c: sizes in bytes of strings that end in NUL, one after another. */
struct head {
  uint32_t arguments, environment, readable;
};

static int connect_to_launcher(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path, DOOR, sizeof DOOR - 1);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || connect(fd, (struct sockaddr *)&address, offsetof(struct sockaddr_un, sun_path) + sizeof DOOR - 1) < 0)
    give_up("the door");
  return fd;
}

/* Without a run there is nothing to wait for any more: the launcher has ended, or wants the place back. */
static void read_exactly(int door, void *into, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t got = read(door, (char *)into + done, length - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) _exit(125);
    done += got;
  }
}

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

__attribute__((constructor)) static void wait_for_run(int count, char **arguments) {
  struct head head;
  bool python = count > 1 && !strncmp(arguments[0], "python", 6), node = count > 1 && !strcmp(arguments[0], "node");
  int door = connect_to_launcher();
  read_memory_map();
  if (python) find_names(arguments[1]);
  if (node) find_start(), find_command_lines(arguments[1]);
  int64_t since = now_ns(CLOCK_MONOTONIC);
  /* Ready: everything that could fail has been tried but for what the run brings. */
  if (write(door, "r", 1) != 1) give_up("the door");
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
  if (python) rename_program(words + strlen(words) + 1);
  if (node) forget_time(now_ns(CLOCK_MONOTONIC) - since), replace_command_lines(words, head.arguments);
  close(door);
}
