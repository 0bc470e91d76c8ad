/*
 * Locks on parts of files. The kernel gives as many as anybody asks for, a million a second, and counts their memory neither for a cgroup
 * nor against a limit. So we look at what all of the kernel holds, which takes microseconds, and only when that has grown count the
 * locks of our box.
 */
#include "launcher.h"
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* 192 bytes each. A database takes a few for each connection. */
enum { MOST_LOCKS = 100000, GROWTH_KIB = 16 << 10, LOCKS_IN_PASSING = 2000, FILES_IN_PASSING = 1000 };

/*
 * For each descriptor the kernel goes through all locks on its file. Meanwhile nobody keeps the run's time, so a box that makes
 * this long has too many as well.
 */
static const clock_t LONGEST_COUNT = 3 * CLOCKS_PER_SEC;

struct tally {
  long locks, files;
  clock_t until; /* of our own processor time */
  bool stopped;  /* the box, while we count */
};

static bool is_too_much(const struct tally *tally) { return tally->locks > MOST_LOCKS || clock() > tally->until; }

/* What the kernel cannot give back, of the whole machine. */
static long held_by_kernel_kib(void) {
  static int meminfo = -1;
  char text[4096];
  if (meminfo < 0 && (meminfo = open("/proc/meminfo", O_RDONLY | O_CLOEXEC)) < 0) die("/proc/meminfo");
  ssize_t length = pread(meminfo, text, sizeof text - 1, 0);
  text[length > 0 ? length : 0] = 0;
  const char *line = strstr(text, "\nSUnreclaim:");
  return line ? atol(line + strlen("\nSUnreclaim:")) : 0;
}

static void count_in_file(int directory, const char *name, struct tally *tally) {
  static char text[64 << 10];
  ssize_t length;
  int fd = openat(directory, name, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  while (!is_too_much(tally) && (length = read(fd, text, sizeof text - 1)) > 0) {
    text[length] = 0;
    for (const char *line = text; (line = strstr(line, "lock:\t")); line++) tally->locks++;
  }
  close(fd);
  tally->files++;
  /* With much to count the box would have the processor meanwhile, and go on. */
  if (tally->stopped || (tally->locks < LOCKS_IN_PASSING && tally->files < FILES_IN_PASSING)) return;
  tally->stopped = true;
  kill(-1, SIGSTOP);
}

static DIR *open_folder(const char *format, const char *first, const char *second) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, format, first, second);
  return opendir(path);
}

/* The next entry whose name is a number. */
static const char *next_number(DIR *folder) {
  struct dirent *entry;
  while (folder && (entry = readdir(folder)))
    if (isdigit((unsigned char)entry->d_name[0])) return entry->d_name;
  return NULL;
}

/* A thread may have files of its own; mostly it shares its process's. */
static bool shares_files(const char *thread, const char *process) {
  return strcmp(thread, process) != 0 && syscall(SYS_kcmp, atoi(thread), atoi(process), 2 /* KCMP_FILES */, 0, 0) == 0;
}

static void count_in_process(const char *process, struct tally *tally) {
  const char *thread, *file;
  DIR *threads = open_folder("/proc/%s/task", process, "");
  while (!is_too_much(tally) && (thread = next_number(threads))) {
    char name[32];
    if (shares_files(thread, process)) continue;
    snprintf(name, sizeof name, "%s", thread);
    DIR *files = open_folder("/proc/%s/task/%s/fdinfo", process, name);
    while (!is_too_much(tally) && (file = next_number(files))) count_in_file(dirfd(files), file, tally);
    if (files) closedir(files);
  }
  if (threads) closedir(threads);
}

bool holds_too_many_locks(void) {
  static long calm = LONG_MAX;
  long held = held_by_kernel_kib();
  if (held < calm) calm = held;
  if (held - calm < GROWTH_KIB) return false;
  struct tally tally = {.until = clock() + LONGEST_COUNT};
  const char *process;
  DIR *processes = opendir("/proc");
  while (!is_too_much(&tally) && (process = next_number(processes))) {
    char name[32];
    snprintf(name, sizeof name, "%s", process);
    if (strcmp(name, "1") != 0) count_in_process(name, &tally);
  }
  if (processes) closedir(processes);
  if (is_too_much(&tally)) return true;
  if (tally.stopped) kill(-1, SIGCONT);
  calm = held;
  return false;
}
