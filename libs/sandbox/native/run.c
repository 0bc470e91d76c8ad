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
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct child NO_CHILD = {.status = -1, .hold = -1};

enum { WATCH_MS = 50, DOOR_MS = 5000 };

/* A script may open /dev/stdout anew, which asks for the pipe's owner. The worker opens it by its group. */
static int give_pipe(int pipe, const struct settings *settings) {
  if (fchown(pipe, settings->uid, has_given_ids(settings) ? getegid() : settings->uid) < 0) return -1;
  return has_given_ids(settings) ? fchmod(pipe, 0660) : 0;
}

/*
 * Done while the slot is idle, so that a run need not wait for it. The worker opens its ends of the pipes
 * and the outputs directory through /proc/<our pid>/fd: real pipes, because /dev/stdout cannot be opened
 * on the sockets that Node would pass.
 */
void open_pipes(const struct settings *settings, struct run *run) {
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) < 0 || pipe2(err, O_CLOEXEC) < 0) die("pipe");
  if (settings->drop && (give_pipe(out[1], settings) < 0 || give_pipe(err[1], settings) < 0)) die("giving a pipe");
  run->stdout_read = out[0], run->stdout_write = out[1];
  run->stderr_read = err[0], run->stderr_write = err[1];
}

void prepare_run(const struct settings *settings, struct run *run) {
  run->app = run->inside = -1;
  run->waiting = (struct waiting){.ended = -1, .listener = -1, .door = -1, .child = NO_CHILD};
  enter_run_namespaces(settings, run);
  watch_refused(&run->refused);
  open_pipes(settings, run);
}

/*
 * Asks every process of the box to end. All processes that we can see are the box's, but ourselves, its warden,
 * bubblewrap and the box's process 1, whose end would be everybody's. Returns how many were asked.
 */
static int terminate_all(const struct child *child, pid_t init) {
  struct dirent *entry;
  int count = 0;
  DIR *processes = init ? opendir("/proc") : NULL;
  if (!processes) return 0;
  while ((entry = readdir(processes))) {
    pid_t pid = isdigit((unsigned char)entry->d_name[0]) ? atoi(entry->d_name) : 0;
    bool ours = pid == init || pid == child->warden || pid == child->bubblewrap || pid == child->template || pid == child->first;
    if (pid > 1 && !ours && kill(pid, SIGTERM) == 0) count++;
  }
  closedir(processes);
  return count;
}

static void announce(struct report *report) {
  if (!report->announced) tell("started");
  report->announced = true;
}

/* Lets the command run, and its time begin. In a box that stays, it has not begun until the worker knows. */
static void let_go(const struct request *request, struct run *run, struct child *child, struct report *report) {
  if (child->hold >= 0 && write(child->hold, "g", 1) < 0 && errno != EPIPE) die("letting the command go");
  shut(&child->hold);
  if (child->kept) die_if_going(child->kept);
  if (child->kept || child->template) announce(report);
  if (child->kept) resume_kept(child->kept);
  if (run->waiting.door >= 0 && !let_in(run->waiting.door, request)) shut(&run->waiting.door);
  report->began = now_ms();
}

/* When its time is over. It does not pass while the clock is held. */
static int64_t deadline_of(const struct request *request, const struct report *report) {
  if (!report->began || !request->timeout_ms || report->held_since) return INT64_MAX;
  return report->began + request->timeout_ms + report->held_ms;
}

/* 'H': from now on its time does not pass; 'O': it goes on. */
static void keep_clock(int order, struct report *report) {
  if (order == 'H' && !report->held_since) report->held_since = now_ms();
  if (order != 'O' || !report->held_since) return;
  report->held_ms += now_ms() - report->held_since;
  report->held_since = 0;
}

static int milliseconds_until(int64_t when) {
  int64_t left = when == INT64_MAX ? -1 : when - now_ms();
  if (when == INT64_MAX) return -1;
  return left < 0 ? 0 : left > 60000 ? 60000 : (int)left;
}

/* Waits until the child has ended, passing on orders, keeping the time and watching what no limit of the kernel's bounds. */
bool supervise(const struct settings *settings, const struct request *request, struct run *run, struct child *child,
               struct report *report) {
  int64_t kill_at = INT64_MAX, look_at = now_ms() + WATCH_MS;
  bool asked = false, killed = false;
  int pidfd = open_pidfd(child->pid);
  int template = child->template ? open_pidfd(child->template) : -1;
  if (pidfd < 0 || (child->template && template < 0)) die("pidfd_open");
  /* With egress, only when the worker serves it. */
  if (request->port_count == 0) let_go(request, run, child, report);
  struct pollfd watched[] = {{CONTROL_FD, POLLIN, 0},
                             {child->status, POLLIN, 0},
                             {pidfd, POLLIN, 0},
                             {CHANNEL_FD, POLLIN, 0},
                             {run->waiting.door, POLLIN, 0},
                             {template, POLLIN, 0},
                             {run->waiting.listener, POLLIN, 0}};
  while (true) {
    int64_t now = now_ms();
    int64_t deadline = deadline_of(request, report);
    int64_t next = report->terminated ? kill_at : deadline;
    /* Terminated before there was anybody to ask: try again shortly. */
    if (report->terminated && !asked && next > now + 20) next = now + 20;
    if (next > now + WATCH_MS) next = now + WATCH_MS;
    /* Only while it is to take the sockets does the worker say anything there. */
    if (report->began) watched[3].fd = -1;
    watched[4].fd = run->waiting.door;
    if (poll(watched, 7, milliseconds_until(killed ? INT64_MAX : next)) < 0 && errno != EINTR) die("poll");
    if (watched[2].revents) break;
    if (watched[5].revents) {
      /* The run may go on without it. But how it ends, only a parent that stands still leaves for us to see. */
      watched[5].fd = -1;
      kill(report->init, SIGSTOP);
    }
    if (watched[1].revents) {
      read_report(report, child->status);
      if (watched[1].revents & POLLHUP) watched[1].fd = -1;
    }
    if (watched[3].fd >= 0 && watched[3].revents && !worker_took_sockets())
      report->problem = "the worker could not take its ports: it has too many files open";
    if (watched[4].fd >= 0 && watched[4].revents) {
      report->problem = complaint_at(watched[4].fd, request);
      shut(&run->waiting.door);
    }
    /* What stays does not end. It says that its answer is complete, and whether that is so is for others to see. */
    if (child->kept && watched[6].revents && report->began && take_wish(run, child->kept)) break;
    /* It may have begun to count, and be let go, before it is there. */
    if (!child->kept && watched[6].fd >= 0 && watched[6].revents) {
      watched[6].fd = -1;
      if (!meet_forked(run, child->pid)) report->problem = "what was forked for it cannot be met";
      else if (report->began && !let_in(run->waiting.door, request)) shut(&run->waiting.door);
    }
    /* What its run begins with, it has by now. Later it would be the run's own word. */
    if (report->began && now_ms() > report->began + DOOR_MS) shut(&run->waiting.door);
    int order = watched[0].revents ? receive_order() : 0;
    if (order == 'G' && !report->began) let_go(request, run, child, report);
    keep_clock(order, report);
    if (report->init && report->began) announce(report);
    read_refused(&run->refused);
    if (run->app >= 0 && !killed) report->overflow = measure_tree(run->app, request);
    now = now_ms();
    if (!killed && now >= look_at) {
      report->out_of_memory = sockets_hold_too_much(settings) || holds_too_many_locks();
      now = now_ms();
      look_at = now + WATCH_MS;
    }
    if (!report->terminated && (order == 'T' || now >= deadline_of(request, report))) {
      report->terminated = true;
      report->timed_out = order != 'T';
      kill_at = report->began ? now + request->grace_ms : now;
    }
    if (report->terminated && !asked) asked = terminate_all(child, report->init) > 0;
    if (order == 'K' || now >= kill_at) report->terminated = true;
    if (!killed && (order == 'K' || now >= kill_at || report->problem || report->overflow ||
                    report->out_of_memory)) {
      killed = true;
      kill(-1, SIGKILL); /* all that we can see, at once, and never ourselves */
    }
  }
  close(pidfd);
  shut(&template);
  return killed;
}

/*
 * Kills what is left of the box, and waits for all of it. If bubblewrap itself is killed, from outside or because memory
 * ran out, it reports nothing about the command; then its own end is reported, as a shell would report it.
 */
void end_everything(pid_t bubblewrap, struct report *report) {
  int status, its_end = 0;
  pid_t ended;
  kill(-1, SIGKILL);
  while ((ended = wait(&status)) > 0 || errno == EINTR)
    if (ended == bubblewrap) its_end = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  if (report->exit_code < 0 && its_end > 128) report->exit_code = its_end;
}

static void carry_out(const struct settings *settings, struct run *run, const struct request *request,
                      struct report *report) {
  struct child child = run->inside >= 0 ? run->waiting.child : start_command(settings, run, request);
  run->waiting.child = NO_CHILD;
  shut(&run->stdout_write), shut(&run->stderr_write);
  supervise(settings, request, run, &child, report);
  read_report(report, child.status);
  shut(&child.status), shut(&child.hold), shut(&run->waiting.door);
  /* bubblewrap ends with the command. Whatever the command left behind ends now, and is ours to wait for. */
  end_everything(child.pid, report);
  if (report->text[0] == '!') {
    report->text[strcspn(report->text, "\n")] = 0;
    report->problem = report->text + 1;
  }
}

/* Everything of the run has ended. */
void tell_end(struct run *run, struct report *report, const struct use *use) {
  int64_t duration = report->began ? report->ended - report->began : 0;
  if (run->outputs >= 0) hand_over_tree(run->outputs);
  shut(&run->outputs);
  if (report->problem)
    tell("failed %s", report->problem);
  else
    tell("exited %d %d %d %d %lld %s %d %s %lld %lld", report->exit_code, report->timed_out, report->terminated,
         report->out_of_memory || use->oom_kills > 0, (long long)duration, report->overflow ? report->overflow : "-",
         run->inside >= 0, tell_refused(&run->refused), use->cpu_ms, use->peak_bytes);
}

void perform_run(const struct settings *settings, struct run *run, const struct request *request) {
  struct report report = {.exit_code = -1};
  struct use before = look_before(settings);
  /* The worker holds these by now. */
  shut(&run->stdout_read), shut(&run->stderr_read);
  if (!has_given_ids(settings)) shut(&run->outputs);
  if (!request->becomes || !take_waiting(run, &report)) stop_waiting(run);

  report.problem = bind_request(request, run);
  if (!report.problem && run->app >= 0 && give_tree(run->app, settings))
    report.problem = "the app cannot be given to the box's user";
  if (!report.problem) report.problem = open_egress(request);
  if (!report.problem) carry_out(settings, run, request, &report);
  shut(&run->stdout_write), shut(&run->stderr_write);
  report.ended = now_ms();
  read_refused(&run->refused);
  shut(&run->refused.socket);

  if (run->app >= 0) {
    const char *overflow = take_tree_back(run->app, request);
    if (!report.overflow) report.overflow = overflow;
    shut(&run->app);
  }
  struct use use = used_since(settings, &before);
  tell_end(run, &report, &use);
  stop_waiting(run);
  shut(&run->mounts), shut(&run->inside);
}
