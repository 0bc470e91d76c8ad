/*
 * A box that serves several runs, one after another: of a template (template.c) or of a process that stays (kept.c). How it is
 * made, what ends in it between two runs, and the wait for the next one.
 */
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
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { START_MS = 60000, LETTER_MS = 5000, LOOK_MS = 50, SWEEP_MS = 500, SWEEP_PAUSE_US = 200 };

/*
 * Waits for one of two to have something to say, while the worker is there. Nobody else looks meanwhile at what no limit of the
 * kernel's bounds.
 */
static bool comes(const struct settings *settings, int fd, int end, int patience_ms) {
  struct pollfd watched[] = {{CONTROL_FD, 0, 0}, {end, POLLIN, 0}, {fd, POLLIN, 0}};
  for (int64_t until = now_ms() + patience_ms; now_ms() < until;) {
    if (poll(watched, 3, LOOK_MS) < 0 && errno != EINTR) die("poll");
    if (watched[0].revents) exit(0); /* the worker is gone, or has given it up */
    if (watched[1].revents || watched[2].revents) return watched[2].revents != 0;
    if (sockets_hold_too_much(settings) || holds_too_many_locks()) return false;
  }
  return false;
}

/* What it has printed, or what went wrong in it. */
_Noreturn void give_up_with(int scrap, const char *what) {
  char text[400];
  ssize_t length = read(scrap, text, sizeof text - 1);
  text[length > 0 ? length : 0] = 0;
  text[strcspn(text, "\n")] = 0;
  errno = 0;
  die("%s: %s", what, text);
}

struct standing start_standing(const struct settings *settings, struct run *run, const struct request *request, const char *failure) {
  struct standing standing = {0};
  struct report report = {.exit_code = -1};
  struct run making = *run;
  int scrap[2];
  char letter, path[64];
  errno = 0;
  if (settings->process_count < 0 || !settings->drop) die("a box that stays needs a cgroup, and users of its own");
  const char *problem = bind_request(request, run);
  if (problem) die("%s", problem);
  /* For the runs there are pipes of their own. */
  if (pipe2(scrap, O_CLOEXEC | O_NONBLOCK) < 0) die("pipe");
  fcntl(scrap[1], F_SETFL, 0);
  making.stdout_write = making.stderr_write = scrap[1];
  int listener = listen_at_door();
  standing.command = start_command(settings, &making, request);
  standing.scrap = scrap[0];
  close(scrap[1]);
  int ended = open_pidfd(standing.command.pid);
  if (ended < 0) die("pidfd_open");
  if (!comes(settings, listener, ended, START_MS)) give_up_with(scrap[0], failure);
  standing.door = accept_at_door(listener, &standing.process);
  shut(&listener);
  if (standing.door < 0 || !comes(settings, standing.door, ended, LETTER_MS) || read(standing.door, &letter, 1) != 1)
    give_up_with(scrap[0], failure);
  read_report(&report, standing.command.status);
  shut(&ended);
  standing.init = report.init;
  snprintf(path, sizeof path, "/proc/%d/ns/mnt", standing.init);
  run->inside = standing.init ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (run->inside < 0) die("%s", path);
  return standing;
}

/* Ends everything but what stays, until the kernel counts nobody else. */
bool sweep(const struct settings *settings, const pid_t *staying, int count, int tasks) {
  int64_t until = now_ms() + SWEEP_MS;
  while (count_tasks(settings) != tasks) {
    struct dirent *entry;
    DIR *processes = opendir("/proc");
    if (!processes || now_ms() > until) {
      if (processes) closedir(processes);
      return false;
    }
    while ((entry = readdir(processes))) {
      pid_t pid = isdigit((unsigned char)entry->d_name[0]) ? atoi(entry->d_name) : 0;
      bool stays = pid <= 1;
      for (int i = 0; i < count; i++) stays |= pid == staying[i];
      if (!stays) kill(pid, SIGKILL);
    }
    closedir(processes);
    usleep(SWEEP_PAUSE_US);
  }
  return true;
}

/* Readable when a child of ours, or what we trace, has stopped or ended. */
static int open_ends(void) {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGCHLD);
  int fd = sigprocmask(SIG_BLOCK, &ends, NULL) < 0 ? -1 : signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
  if (fd < 0) die("signalfd");
  return fd;
}

/* Between two runs nothing of a box does. A pidfd would not tell it of what has threads and is traced. */
static bool has_ended(void) {
  siginfo_t found = {0};
  return waitid(P_ALL, 0, &found, WEXITED | WNOHANG | WNOWAIT | __WALL) < 0 || found.si_pid;
}

void die_if_gone(void) {
  errno = 0;
  if (has_ended()) die("what stays for the runs has been ended");
}

void set_score(pid_t process, const char *score) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/oom_score_adj", process);
  if (write_file(path, score) < 0) die("%s", path);
}

/* The machine may need the memory. Then the worker should know before there is a run. */
static void await_letter(int ends) {
  struct signalfd_siginfo told;
  struct pollfd watched[] = {{CONTROL_FD, POLLIN, 0}, {ends, POLLIN, 0}};
  while (!watched[0].revents) {
    while (read(ends, &told, sizeof told) > 0)
      ;
    die_if_gone();
    if (poll(watched, 2, -1) < 0 && errno != EINTR) die("poll");
  }
}

struct request *await_run(void) {
  static int ends = -1;
  if (ends < 0) ends = open_ends();
  do await_letter(ends);
  while (receive_letter() != 'R'); /* an order for a run that has ended meanwhile */
  return receive_request();
}
