/*
 * A template stands still, held by ptrace, whenever there is a run in its box: at the very fork that made the run's process. So
 * whatever it has imported, it can neither talk to a run nor be talked to by one. Between two runs it may wait for the end of the
 * one and fork for the other, and calls the kernel for nothing else. What a run could change about it is looked for here, from
 * outside and while nothing moves: descriptors, shared memory, waiting signals, limits that others may change.
 */
#include "launcher.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STANDARD_DESCRIPTORS = 3, PAUSE_US = 100 };

static const long OPTIONS = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL |
                            PTRACE_O_TRACESYSGOOD;

/* See ptrace(2): what PTRACE_GET_SYSCALL_INFO tells of a call that is about to be made. Older C libraries have no name for it. */
enum { GET_CALL = 0x420e, ABOUT_TO_CALL = 1 };
struct call {
  uint8_t state, padding[3];
  uint32_t architecture;
  uint64_t instruction, stack, number, words[6];
};

static _Noreturn void give_up(const char *what) {
  errno = 0;
  die("the template %s", what);
}

void seize(struct frozen *frozen) {
  if (ptrace(PTRACE_SEIZE, frozen->first, 0, OPTIONS) < 0) die("holding the template");
}

/*
 * As the C library forks and waits (door/template.c). What is forked in this way shares nothing with its parent, who does not
 * hear how it has ended.
 */
static void check_call(pid_t process) {
  const uint64_t copies = CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD;
  struct call call = {0};
  if (ptrace(GET_CALL, process, sizeof call, &call) < 0) die("asking for what the template does");
  if (call.state != ABOUT_TO_CALL) return;
  const uint64_t *words = call.words;
  if (call.number == SYS_wait4 && !words[1] && !words[2] && !words[3]) return;
  if (call.number == SYS_clone && words[0] == copies && !words[1]) return;
  if (call.number == SYS_rt_sigprocmask || call.number == SYS_set_robust_list) return;
  give_up("does something else than to fork");
}

static void check_stop(pid_t process, int status) {
  if (!WIFSTOPPED(status)) give_up("has ended");
  if (status >> 16 == 0 && WSTOPSIG(status) == (SIGTRAP | 0x80))
    check_call(process);
  else if (status >> 16 || WSTOPSIG(status) != SIGCHLD)
    give_up("does something else than to fork");
}

/* Until it has forked; what it has forked stands still as well. Once it is a template it may do nothing else. */
static pid_t await_fork(pid_t process, int patience_ms) {
  unsigned long child;
  int status;
  for (int64_t until = now_ms() + patience_ms; now_ms() < until;) {
    pid_t found = waitpid(process, &status, __WALL | WNOHANG);
    if (found < 0) give_up("has ended");
    if (!found) {
      usleep(PAUSE_US);
      continue;
    }
    if (WIFSTOPPED(status) && status >> 16 == PTRACE_EVENT_FORK) {
      if (ptrace(PTRACE_GETEVENTMSG, process, 0, &child) < 0) die("asking for what it has forked");
      if (waitpid(child, &status, __WALL) != (pid_t)child || !WIFSTOPPED(status)) give_up("has forked nothing");
      return child;
    }
    check_stop(process, status);
    if (ptrace(PTRACE_SYSCALL, process, 0, 0) < 0) die("letting the template go on");
  }
  give_up("does not fork");
}

void await_template(struct frozen *frozen, int patience_ms) {
  frozen->process = await_fork(frozen->first, patience_ms);
}

/* All that it may do meanwhile is to see the end of the child before. */
void thaw_until_fork(struct frozen *frozen, int patience_ms) {
  if (ptrace(PTRACE_SYSCALL, frozen->process, 0, 0) < 0) die("letting the template go on");
  frozen->child = await_fork(frozen->process, patience_ms);
}

static FILE *open_about(pid_t process, const char *name) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", process, name);
  FILE *file = fopen(path, "re");
  if (!file) die("%s", path);
  return file;
}

static void inspect_descriptors(pid_t process) {
  char path[64];
  struct dirent *entry;
  int count = 0;
  snprintf(path, sizeof path, "/proc/%d/fd", process);
  DIR *folder = opendir(path);
  if (!folder) die("%s", path);
  while ((entry = readdir(folder))) {
    struct stat file;
    if (entry->d_name[0] == '.') continue;
    if (fstatat(dirfd(folder), entry->d_name, &file, 0) < 0 || !S_ISCHR(file.st_mode) || file.st_rdev != makedev(1, 3))
      give_up("has an open file or socket");
    count++;
  }
  closedir(folder);
  if (count != STANDARD_DESCRIPTORS) give_up("has other descriptors than the standard ones");
}

/* What its children would share with it. A file of /usr, which nobody can write to, may be mapped so that nobody writes to it. */
static void inspect_memory(pid_t process) {
  char line[4352], mode[8];
  unsigned major, minor;
  struct stat system;
  if (stat("/box/usr", &system) < 0) die("/usr");
  FILE *maps = open_about(process, "maps");
  while (fgets(line, sizeof line, maps)) {
    if (sscanf(line, "%*s %7s %*s %x:%x", mode, &major, &minor) != 3) give_up("has memory that cannot be understood");
    if (mode[3] != 's') continue;
    if (mode[1] == 'w' || makedev(major, minor) != system.st_dev) give_up("has shared memory");
  }
  fclose(maps);
}

/* Whether the template can be looked into is written in who owns what the kernel tells of it. */
static void inspect_secrecy(const struct settings *settings, pid_t process) {
  char path[64];
  struct stat file;
  snprintf(path, sizeof path, "/proc/%d/mem", process);
  if (stat(path, &file) < 0) die("%s", path);
  if (file.st_uid == settings->uid) give_up("can be looked into");
}

/* What its children would have as well without opening it: a place where one of them could leave something for the next. */
static void inspect_places(const struct settings *settings, pid_t process) {
  char path[64], folder[8] = "";
  struct stat program;
  snprintf(path, sizeof path, "/proc/%d/cwd", process);
  if (readlink(path, folder, sizeof folder - 1) < 0) die("%s", path);
  if (strcmp(folder, "/app")) give_up("is in a folder of its own");
  snprintf(path, sizeof path, "/proc/%d/exe", process);
  if (stat(path, &program) < 0) die("%s", path);
  if (program.st_uid == settings->uid) give_up("is a program of its own");
}

static void append(char **at, const char *end, const char *text) {
  int length = snprintf(*at, end - *at, "%s", text);
  if (length >= end - *at) give_up("has too long limits");
  *at += length;
}

/* Signals that wait must be none. A child's end is announced by one that it does not catch. */
static void inspect_signals(const char *line) {
  uint64_t mask;
  if (sscanf(line, "SigPnd:\t%lx", &mask) == 1 || sscanf(line, "ShdPnd:\t%lx", &mask) == 1) {
    if (mask & ~(1ull << (SIGCHLD - 1))) give_up("was sent a signal");
  }
  if (sscanf(line, "SigBlk:\t%lx", &mask) == 1 && mask) give_up("blocks signals");
  if (!strncmp(line, "Threads:", 8) && strcmp(line, "Threads:\t1\n")) give_up("has threads");
}

static void inspect_state(pid_t process) {
  char line[1024];
  FILE *status = open_about(process, "status");
  while (fgets(line, sizeof line, status)) inspect_signals(line);
  fclose(status);
}

void append_file(char **at, const char *end, pid_t process, const char *name, const char *beginning) {
  char path[64], line[1024];
  snprintf(path, sizeof path, "/proc/%d/%s", process, name);
  FILE *file = fopen(path, "re");
  if (!file) return append(at, end, "-\n"); /* not every kernel has it */
  while (fgets(line, sizeof line, file))
    if (!strncmp(line, beginning, strlen(beginning))) append(at, end, line);
  fclose(file);
}

/* What other processes of the same user may change about a process without its memory, and its children would have, or others could read. */
void append_changeable(char **at, const char *end, pid_t process) {
  char line[1024];
  append_file(at, end, process, "status", "Cpus_allowed:");
  append_file(at, end, process, "limits", "");
  append_file(at, end, process, "autogroup", "");
  uint32_t attributes[14] = {0};
  if (syscall(SYS_sched_getattr, process, attributes, sizeof attributes, 0) < 0) die("its share of the processors");
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
    snprintf(line, sizeof line, "%x ", attributes[i]);
    append(at, end, line);
  }
  snprintf(line, sizeof line, "%ld\n", syscall(SYS_ioprio_get, 1 /* IOPRIO_WHO_PROCESS */, process));
  append(at, end, line);
}

/* What it has forked has them open as well: flags, positions and locks are those of all. */
static void append_inputs(char **at, const char *end, pid_t process) {
  for (int i = 0; i < STANDARD_DESCRIPTORS; i++) {
    char name[32];
    snprintf(name, sizeof name, "fdinfo/%d", i);
    append_file(at, end, process, name, "");
  }
}

static char *changeable(const struct frozen *frozen) {
  enum { MOST = 32768 };
  char *text = malloc(MOST), *at = text;
  if (!text) die("out of memory");
  append_changeable(&at, text + MOST, frozen->first);
  append_changeable(&at, text + MOST, frozen->process);
  append_inputs(&at, text + MOST, frozen->process);
  append_changeable(&at, text + MOST, frozen->init);
  return text;
}

void inspect(const struct settings *settings, struct frozen *frozen) {
  if (count_tasks(settings) != ALONE) give_up("has other processes or threads");
  inspect_descriptors(frozen->process);
  inspect_memory(frozen->process);
  inspect_places(settings, frozen->process);
  inspect_secrecy(settings, frozen->process);
  inspect_state(frozen->first);
  inspect_state(frozen->process);
  char *found = changeable(frozen);
  if (!frozen->baseline)
    frozen->baseline = found;
  else if (strcmp(found, frozen->baseline))
    give_up("was changed");
  else
    free(found);
}

/* The kernel's own count, which no process escapes by forking while others are counted. */
int count_tasks(const struct settings *settings) {
  char text[32];
  ssize_t length = pread(settings->process_count, text, sizeof text - 1, 0);
  text[length > 0 ? length : 0] = 0;
  return atoi(text);
}

/* Of what may not be looked into, also once it has ended, there is always 0 here. -1: not to be had. */
static int status_of(pid_t process) {
  char path[64], text[2048];
  snprintf(path, sizeof path, "/proc/%d/stat", process);
  FILE *stat = fopen(path, "re");
  if (!stat) return -1;
  size_t length = fread(text, 1, sizeof text - 1, stat);
  fclose(stat);
  text[length] = 0;
  char *rest = strrchr(text, ')'), *last = strrchr(text, ' ');
  return rest && rest[2] == 'Z' && last ? atoi(last) : -1;
}

/*
 * What the kernel has told the template, who has not heard it yet. Nobody else can say it in the kernel's name. But the kernel tells the
 * first end only, and a run can make other children of the template.
 */
static int told_code(pid_t template) {
  struct {
    uint64_t offset;
    uint32_t flags;
    int32_t count;
  } question = {.flags = PTRACE_PEEKSIGINFO_SHARED, .count = 1};
  siginfo_t told;
  for (; ptrace(PTRACE_PEEKSIGINFO, template, &question, &told) == 1; question.offset++) {
    if (told.si_signo != SIGCHLD || told.si_pid != RUN_ID) continue;
    if (told.si_code == CLD_EXITED) return told.si_status;
    if (told.si_code == CLD_KILLED || told.si_code == CLD_DUMPED) return 128 + told.si_status;
  }
  return -1;
}

/* Its parent stands still, so what has ended stays to be looked at. */
int exit_code_of_run(const struct frozen *frozen) {
  int status = status_of(frozen->child);
  if (status > 0) return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return status < 0 ? -1 : told_code(frozen->process);
}
