/*
 * A template: an interpreter in a box that has imported what one version's script imports, and is forked for each run of it. It has
 * the box, the filter, the limits and the user of any other, and nothing of a run: no inputs, environment or network.
 *
 * This place serves nothing else any more. The interpreter that was started has forked the template, and is held at that fork for
 * good. The template is held at its own fork, with a child that has not done anything yet. A run is that child: it connects to the door, and gets there what any interpreter gets that has waited (door/door.c), and its own pipes.
 * Afterwards everything else of the box ends, its writable places are made anew, and the template forks again. Whatever is not as it
 * should be ends this place; then runs start in another way.
 */
#include "launcher.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
#include <dirent.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { IMPORT_MS = 60000, FORK_MS = 5000, LOOK_MS = 50, SWEEP_MS = 500, SWEEP_PAUSE_US = 200 };

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
static _Noreturn void give_up_with(int scrap, const char *what) {
  char text[400];
  ssize_t length = read(scrap, text, sizeof text - 1);
  text[length > 0 ? length : 0] = 0;
  text[strcspn(text, "\n")] = 0;
  errno = 0;
  die("%s: %s", what, text);
}

static struct frozen make_template(const struct settings *settings, struct run *run, const struct request *request,
                                   struct child *command) {
  struct frozen frozen = {0};
  struct report report = {.exit_code = -1};
  struct run making = *run;
  int scrap[2], unread = 0;
  char letter, path[64];
  errno = 0;
  if (settings->process_count < 0 || !settings->drop) die("a template needs a cgroup, and users of its own");
  const char *problem = bind_request(request, run);
  if (problem) die("%s", problem);
  /* For the runs there are pipes of their own. */
  if (pipe2(scrap, O_CLOEXEC | O_NONBLOCK) < 0) die("pipe");
  fcntl(scrap[1], F_SETFL, 0);
  making.stdout_write = making.stderr_write = scrap[1];
  int listener = listen_at_door();
  *command = start_command(settings, &making, request);
  close(scrap[1]);
  int ended = open_pidfd(command->pid);
  if (ended < 0) die("pidfd_open");
  if (!comes(settings, listener, ended, IMPORT_MS)) give_up_with(scrap[0], "it cannot be a template");
  int door = accept_at_door(listener, &frozen.first);
  shut(&listener);
  if (door < 0 || !comes(settings, door, ended, FORK_MS) || read(door, &letter, 1) != 1) give_up_with(scrap[0], "it cannot be a template");
  read_report(&report, command->status);
  shut(&command->status), shut(&ended);
  frozen.init = report.init;
  seize(&frozen);
  watch_traces();
  forget_process_ids(frozen.init, FIRST_ID); /* threads that have ended have had some */
  if (write(door, "g", 1) != 1) die("the door");
  shut(&door);
  await_template(&frozen, FORK_MS);
  thaw_until_fork(&frozen, FORK_MS);
  snprintf(path, sizeof path, "/proc/%d/ns/mnt", frozen.init);
  run->inside = frozen.init ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (run->inside < 0) die("%s", path);
  if (ioctl(scrap[0], FIONREAD, &unread) < 0 || unread > 0) give_up_with(scrap[0], "its imports print");
  shut(&scrap[0]);
  check_places_are_empty(settings, run);
  hide_process(run, frozen.first, FIRST_ID);
  hide_process(run, frozen.process, TEMPLATE_ID);
  forget_process_ids(frozen.init, TEMPLATE_ID);
  inspect(settings, &frozen);
  return frozen;
}

/* Ends everything but what stays, until the kernel counts nobody else. */
static bool sweep(const struct settings *settings, const struct frozen *frozen, const struct child *command) {
  int64_t until = now_ms() + SWEEP_MS;
  while (!is_alone(settings)) {
    struct dirent *entry;
    DIR *processes = opendir("/proc");
    if (!processes || now_ms() > until) return false;
    while ((entry = readdir(processes))) {
      pid_t pid = isdigit((unsigned char)entry->d_name[0]) ? atoi(entry->d_name) : 0;
      bool stays = pid == frozen->first || pid == frozen->process || pid == frozen->init || pid == command->pid;
      if (pid > 1 && !stays) kill(pid, SIGKILL);
    }
    closedir(processes);
    usleep(SWEEP_PAUSE_US);
  }
  return true;
}

static bool has_ended(pid_t held) { return waitpid(held, NULL, __WALL | WNOHANG) != 0; }

/* Its processes are the template's to wait for, and the template's memory is beside its own. */
static void tell_forked_end(const struct settings *settings, struct run *run, struct report *report, const struct use *before) {
  struct use use = used_since(settings, before);
  use.cpu_ms = use.peak_bytes = -1;
  tell_end(run, report, &use);
}

static _Noreturn void end_with(const struct settings *settings, struct run *run, struct report *report, const struct use *before) {
  kill(-1, SIGKILL);
  while (wait(NULL) > 0 || errno == EINTR)
    ;
  tell_forked_end(settings, run, report, before);
  exit(0);
}

static void perform_forked(const struct settings *settings, struct run *run, const struct request *request,
                           struct frozen *frozen, const struct child *command) {
  struct report report = {.exit_code = -1, .init = frozen->init};
  struct use before = look_before(settings);
  bool lost = false;
  shut(&run->stdout_read), shut(&run->stderr_read);
  if (!has_given_ids(settings)) shut(&run->outputs);
  report.problem = bind_request(request, run);
  if (!report.problem) report.problem = open_egress(request);
  if (!report.problem) {
    run->waiting.listener = listen_at_door();
    if (ptrace(PTRACE_DETACH, frozen->child, 0, 0) < 0) die("letting a run go on");
    struct child child = {.pid = frozen->child, .bubblewrap = command->pid, .template = frozen->process, .first = frozen->first, .status = -1, .hold = -1};
    lost = supervise(settings, request, run, &child, &report);
    report.exit_code = lost ? -1 : exit_code_of_run(frozen);
    /* What has ended must stay until the template asks for it. Where it does not, somebody else would be counted in its place. */
    if (report.exit_code < 0) lost = true, report.exit_code = 128 + SIGKILL;
  }
  shut(&run->waiting.door), shut(&run->waiting.listener);
  shut(&run->stdout_write), shut(&run->stderr_write);
  lost = lost || report.problem || has_ended(frozen->first) || has_ended(frozen->process) || !sweep(settings, frozen, command);
  report.ended = now_ms();
  read_refused(&run->refused);
  shut(&run->refused.socket);
  if (lost) end_with(settings, run, &report, &before);
  tell_forked_end(settings, run, &report, &before);
}

/* The run has ended, and the worker knows. */
static void make_ready_again(const struct settings *settings, struct run *run, const struct request *request,
                             struct frozen *frozen) {
  inspect(settings, frozen);
  wait_for_no_traces();
  renew_places(settings, run, request);
  forget_process_ids(frozen->init, TEMPLATE_ID);
  thaw_until_fork(frozen, FORK_MS);
  inspect(settings, frozen);
  watch_refused(&run->refused);
  open_pipes(settings, run);
}

/* The machine may need the memory. Then the worker should know before there is a run. */
static void await_request(const struct frozen *frozen) {
  int ended = open_pidfd(frozen->child);
  struct pollfd watched[] = {{CONTROL_FD, POLLIN, 0}, {ended, POLLIN, 0}};
  while (poll(watched, 2, -1) < 0 && errno == EINTR)
    ;
  errno = 0;
  if (ended < 0 || watched[1].revents) die("the template has been ended");
  shut(&ended);
}

_Noreturn void serve_template(const struct settings *settings, struct run *run, const struct request *request, pid_t outside) {
  struct child command;
  struct frozen frozen = make_template(settings, run, request, &command);
  while (true) {
    tell("warm");
    do await_request(&frozen);
    while (receive_letter() != 'R'); /* an order for a run that has ended meanwhile */
    request = receive_request();
    perform_forked(settings, run, request, &frozen, &command);
    make_ready_again(settings, run, request, &frozen);
    tell("ready %d %d %d %d", outside, run->stdout_read, run->stderr_read, run->outputs);
  }
}
