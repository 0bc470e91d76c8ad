/* The child that limits itself, drops what privileges it has, and becomes bubblewrap. */
#include "launcher.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Noreturn void fail_child(const char *what) {
  dprintf(STATUS_FD, "!%s: %s\n", what, strerror(errno));
  _exit(125);
}

/*
 * Our own is one open file for all runs of this place: a lock on it, or its flags, would outlive the run that set them. Opened in
 * this way it keeps its name, /dev/null.
 */
static void open_input(void) {
  int input = open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
  if (input < 0 || dup2(input, 0) < 0 || close(input) < 0) fail_child("standard input");
}

static _Noreturn void become_bubblewrap(const struct settings *settings, const struct run *run,
                                        const struct request *request, pid_t launcher, int status, int hold,
                                        const struct warden *warden) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
  umask(022);
  dup2(status, STATUS_FD);
  open_input();
  if (hold >= 0) dup2(hold, HOLD_FD);
  dup2(run->stdout_write, 1);
  dup2(run->stderr_write, 2);

  int args = syscall(SYS_memfd_create, "arguments", 1u /* close-on-exec */);
  if (args < 0 || write(args, request->args, request->args_length) != (ssize_t)request->args_length ||
      lseek(args, 0, SEEK_SET) < 0 || dup2(args, ARGS_FD) < 0)
    fail_child("passing the arguments");
  if (lseek(SECCOMP_FD, 0, SEEK_SET) < 0 || fcntl(SECCOMP_FD, F_SETFD, 0) < 0) fail_child("seccomp filter");

  /* Before the limits: other boxes of our user can have as many descriptors in messages as a box may have. */
  if (obey_warden(warden) < 0) fail_child("counting what it watches");
  if (apply_limits(settings, request) < 0) fail_child("setting limits");
  if (drop_privileges(settings) < 0) fail_child("dropping privileges");
  die_with(launcher);
  for (int i = 0; i < request->bind_count; i++) {
    char path[4096];
    snprintf(path, sizeof path, "/box%s", request->binds[i].target);
    if (access(path, R_OK) < 0) {
      dprintf(STATUS_FD, "!%.512s is not readable for other users (chmod -R a+rX)\n", request->binds[i].target);
      _exit(125);
    }
  }

  size_t words = 0;
  while (request->command[words]) words++;
  const char *own[] = {"bwrap", "--args", "6", "--seccomp", "4", "--json-status-fd", "7", "--block-fd", "8", "--"};
  enum { OWN = sizeof own / sizeof *own };
  char *argv[OWN + words + 1];
  size_t count = 0;
  for (int i = 0; i < OWN; i++) {
    if (hold < 0 && !strcmp(own[i], "--block-fd")) i += 2;
    argv[count++] = (char *)own[i];
  }
  memcpy(argv + count, request->command, (words + 1) * sizeof *argv);
  execve(settings->bubblewrap, argv, (char *[]){NULL});
  fail_child(settings->bubblewrap);
}

/* With egress, bubblewrap prepares the box meanwhile, but the command waits for the worker to serve it. */
struct child start_command(const struct settings *settings, const struct run *run, const struct request *request) {
  struct child child = {.template = 0};
  int status[2], hold[2] = {-1, -1};
  pid_t self = getpid();
  if (pipe2(status, O_CLOEXEC | O_NONBLOCK) < 0) die("pipe");
  if (request->port_count > 0 && pipe2(hold, O_CLOEXEC) < 0) die("pipe");
  struct warden warden = open_warden(settings);
  child.pid = fork();
  if (child.pid < 0) die("fork");
  if (child.pid == 0) become_bubblewrap(settings, run, request, self, status[1], hold[0], &warden);
  child.bubblewrap = child.pid;
  child.warden = start_warden(settings, &warden);
  close(status[1]);
  if (hold[0] >= 0) close(hold[0]);
  child.status = status[0];
  child.hold = hold[1];
  return child;
}

void read_report(struct report *report, int status) {
  while (report->length < sizeof report->text - 1) {
    ssize_t got = read(status, report->text + report->length, sizeof report->text - 1 - report->length);
    if (got <= 0) break;
    report->length += got;
  }
  report->text[report->length] = 0;
  const char *found = strstr(report->text, "\"child-pid\": ");
  if (found) report->init = atoi(found + 13);
  found = strstr(report->text, "\"exit-code\": ");
  if (found) report->exit_code = atoi(found + 13);
}
