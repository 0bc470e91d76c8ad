/* One run, from the empty namespaces to the last process's end. */
#include "launcher.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

/* bubblewrap's own account of a run, as it comes in through the status pipe. */
struct report {
  char text[1024];
  size_t length;
  pid_t init;     /* process 1 of the box, 0 while unknown */
  int exit_code;  /* -1 while unknown */
};

static void shut(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

static int64_t now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000ll + time.tv_nsec / 1000000;
}

/*
 * Done while the slot is idle, so that a run need not wait for it. The worker opens its ends of the pipes
 * and the outputs directory through /proc/<our pid>/fd: real pipes, because /dev/stdout cannot be opened
 * on the sockets that Node would pass.
 */
void prepare_run(const struct settings *settings, struct run *run) {
  int out[2], err[2];
  enter_run_namespaces(settings, run);
  if (pipe2(out, O_CLOEXEC) < 0 || pipe2(err, O_CLOEXEC) < 0) die("pipe");
  /* A script may open /dev/stdout anew, which asks for the pipe's owner. */
  if (settings->drop && (fchown(out[1], settings->uid, settings->uid) || fchown(err[1], settings->uid, settings->uid)))
    die("fchown");
  run->stdout_read = out[0], run->stdout_write = out[1];
  run->stderr_read = err[0], run->stderr_write = err[1];
}

static _Noreturn void fail_child(const char *what) {
  dprintf(STATUS_FD, "!%s: %s\n", what, strerror(errno));
  _exit(125);
}

static _Noreturn void become_bubblewrap(const struct settings *settings, const struct run *run,
                                        const struct request *request, pid_t launcher, int status) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
  umask(022);
  dup2(status, STATUS_FD);
  dup2(run->stdout_write, 1);
  dup2(run->stderr_write, 2);

  int args = syscall(SYS_memfd_create, "arguments", 1u /* close-on-exec */);
  if (args < 0 || write(args, request->args, request->args_length) != (ssize_t)request->args_length ||
      lseek(args, 0, SEEK_SET) < 0 || dup2(args, ARGS_FD) < 0)
    fail_child("passing the arguments");
  if (lseek(SECCOMP_FD, 0, SEEK_SET) < 0 || fcntl(SECCOMP_FD, F_SETFD, 0) < 0) fail_child("seccomp filter");

  if (apply_limits(settings) < 0) fail_child("setting limits");
  if (drop_privileges(settings) < 0) fail_child("dropping privileges");
  die_with(launcher);
  for (int i = 0; i < request->bind_count; i++) {
    char path[4096];
    snprintf(path, sizeof path, "/box%s", request->binds[i].target);
    if (access(path, R_OK) < 0) {
      dprintf(STATUS_FD, "!%.512s is not readable for other users (chmod -R a+rX)\n", request->binds[i].source);
      _exit(125);
    }
  }

  size_t words = 0;
  while (request->command[words]) words++;
  const char *own[] = {"bwrap", "--args", "6", "--seccomp", "4", "--json-status-fd", "7", "--"};
  enum { OWN = sizeof own / sizeof *own };
  char *argv[OWN + words + 1];
  memcpy(argv, own, sizeof own);
  memcpy(argv + OWN, request->command, (words + 1) * sizeof *argv);
  execve(settings->bubblewrap, argv, (char *[]){NULL});
  fail_child(settings->bubblewrap);
}

static void read_report(struct report *report, int status) {
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

/*
 * Asks every process of the box to end. All processes that we can see are the box's, but ourselves,
 * bubblewrap and the box's process 1, whose end would be everybody's. Returns how many were asked.
 */
static int terminate_all(pid_t bubblewrap, pid_t init) {
  struct dirent *entry;
  int count = 0;
  DIR *processes = init ? opendir("/proc") : NULL;
  if (!processes) return 0;
  while ((entry = readdir(processes))) {
    pid_t pid = isdigit((unsigned char)entry->d_name[0]) ? atoi(entry->d_name) : 0;
    if (pid > 1 && pid != bubblewrap && pid != init && kill(pid, SIGTERM) == 0) count++;
  }
  closedir(processes);
  return count;
}

static long count_oom_kills(int fd) {
  char text[4096];
  if (fd < 0) return 0;
  ssize_t length = pread(fd, text, sizeof text - 1, 0);
  if (length <= 0) return 0;
  text[length] = 0;
  for (char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
    if (!strncmp(line, "oom_kill ", 9)) return atol(line + 9);
  return 0;
}

/* Waits until bubblewrap has ended, passing on orders and keeping the time. */
static void supervise(const struct request *request, pid_t bubblewrap, int status, struct report *report,
                      bool *timed_out, bool *terminated) {
  int64_t deadline = request->timeout_ms ? now_ms() + request->timeout_ms : INT64_MAX, kill_at = INT64_MAX;
  bool asked = false, killed = false, announced = false;
  int pidfd = syscall(SYS_pidfd_open, bubblewrap, 0);
  if (pidfd < 0) die("pidfd_open");
  struct pollfd watched[] = {{CONTROL_FD, POLLIN, 0}, {status, POLLIN, 0}, {pidfd, POLLIN, 0}};
  while (true) {
    int64_t now = now_ms(), next = *terminated ? kill_at : deadline;
    /* Terminated before there was anybody to ask: try again shortly. */
    if (*terminated && !asked && next > now + 20) next = now + 20;
    if (killed) next = INT64_MAX;
    int wait = next == INT64_MAX ? -1 : next <= now ? 0 : next - now > 60000 ? 60000 : (int)(next - now);
    if (poll(watched, 3, wait) < 0 && errno != EINTR) die("poll");
    if (watched[2].revents) break;
    if (watched[1].revents) {
      read_report(report, status);
      if (watched[1].revents & POLLHUP) watched[1].fd = -1;
      if (report->init && !announced) {
        announced = true;
        tell("started");
      }
    }
    int order = watched[0].revents ? receive_order() : 0;
    now = now_ms();
    if (!*terminated && (order == 'T' || now >= deadline)) {
      *terminated = true;
      *timed_out = order != 'T';
      kill_at = now + request->grace_ms;
    }
    if (*terminated && !asked) asked = terminate_all(bubblewrap, report->init) > 0;
    if (!killed && (order == 'K' || now >= kill_at)) {
      *terminated = killed = true;
      kill(-1, SIGKILL); /* all that we can see, at once, and never ourselves */
    }
  }
  close(pidfd);
}

void perform_run(const struct settings *settings, struct run *run, const struct request *request) {
  struct report report = {.exit_code = -1};
  bool timed_out = false, terminated = false;
  int status[2];
  /* The worker holds these by now. */
  shut(&run->stdout_read), shut(&run->stderr_read), shut(&run->outputs);

  const char *problem = bind_request(request, run);
  /*
   * The gate's place. Here we are alone in the run's network namespace, and may bind any port in it: for a
   * run with hosts, this is where 127.0.0.1:443 (and each declared port) and :53 are to be bound, and the
   * sockets passed to the worker over an IPC channel (SCM_RIGHTS) before there is anybody to connect.
   * A run without hosts has no listener: its network is an empty loopback.
   */
  if (!problem) {
    long kills = count_oom_kills(settings->oom_events);
    pid_t self = getpid();
    if (pipe2(status, O_CLOEXEC | O_NONBLOCK) < 0) die("pipe");
    int64_t began = now_ms();
    pid_t bubblewrap = fork();
    if (bubblewrap < 0) die("fork");
    if (bubblewrap == 0) become_bubblewrap(settings, run, request, self, status[1]);
    close(status[1]);
    shut(&run->stdout_write), shut(&run->stderr_write);
    supervise(request, bubblewrap, status[0], &report, &timed_out, &terminated);
    read_report(&report, status[0]);
    close(status[0]);
    /* bubblewrap ends with the command. Whatever the command left behind ends now, and is ours to wait for. */
    kill(-1, SIGKILL);
    while (wait(NULL) > 0 || errno == EINTR)
      ;
    if (report.text[0] == '!') {
      report.text[strcspn(report.text, "\n")] = 0;
      tell("failed %s", report.text + 1);
    } else {
      tell("exited %d %d %d %d %lld", report.exit_code, timed_out, terminated, count_oom_kills(settings->oom_events) > kills,
           (long long)(now_ms() - began));
    }
  } else {
    shut(&run->stdout_write), shut(&run->stderr_write);
    tell("failed %s", problem);
  }
  shut(&run->mounts);
}
