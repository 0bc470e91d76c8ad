/* The process that this library is in: its memory, its clocks, and its end. */
#include "door.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

struct prctl_mm_map memory_map;

_Noreturn void give_up(const char *what) {
  int error = errno;
  dprintf(2, "the interpreter cannot wait for its program: %s: %s\n", what, strerror(error));
  _exit(125);
}

/* The start of the heap and the like, which the kernel wants to hear again when it is told of new arguments. Not every kernel lets itself be told. */
void read_memory_map(void) {
  unsigned size;
  if (prctl(PR_SET_MM, PR_SET_MM_MAP_SIZE, &size, 0, 0) < 0) give_up("arguments");
  char text[2048];
  unsigned long field[53] = {0};
  int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
  if (length <= 0) give_up("/proc/self/stat");
  close(fd);
  text[length] = 0;
  /* Behind the program's name come the fields from the third on, see proc(5). */
  char *rest = strrchr(text, ')'), *word, *state = NULL;
  int number = 3;
  for (word = strtok_r(rest ? rest + 1 : text, " ", &state); word && number < 53; word = strtok_r(NULL, " ", &state))
    field[number++] = strtoul(word, NULL, 10);
  memory_map = (struct prctl_mm_map){.start_code = field[26],
                                     .end_code = field[27],
                                     .start_stack = field[28],
                                     .start_data = field[45],
                                     .end_data = field[46],
                                     .start_brk = field[47],
                                     .exe_fd = (uint32_t)-1};
}

int64_t now_ns(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1000000000ll + time.tv_nsec;
}
