/*
 * A process that stays for several runs of one function. Its box is any other's. The interpreter waits at the door as one that was
 * started before its run, becomes the run, answers it, and comes to the door again. That is a wish and no end: it is stopped then
 * (stopped.c), everything else of the box ends, and where nothing is left but its memory the run is over. It stays stopped until the
 * next run, whose pipes, places, words and sockets are new. Where anything else is left, it ends with its run, and so does this place.
 */
#include "stopped.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool end_others(const struct settings *settings, const struct kept *kept) {
  const pid_t staying[] = {kept->standing.process, kept->standing.init, kept->standing.command.pid};
  return sweep(settings, staying, sizeof staying / sizeof *staying, OURS + kept->stopped.thread_count);
}

/* What it has sent us would lie there, and descriptors may lie in it; had it left, it might have another socket than the door. */
static bool has_left_door(const struct kept *kept) {
  struct pollfd door = {kept->standing.door, POLLIN | POLLPRI | POLLRDHUP, 0};
  return poll(&door, 1, 0) != 0;
}

/* Whoever could still write to its log, and wherever the descriptor lies. Only then does the worker see the end of it. */
static bool log_has_ended(const struct run *run) {
  struct pollfd logs[] = {{run->stdout_read, 0, 0}, {run->stderr_read, 0, 0}};
  return poll(logs, 2, 0) == 2 && logs[0].revents & logs[1].revents & POLLHUP;
}

/* NULL: it stands still, and there is nothing but its memory. */
static const char *settle(const struct settings *settings, struct run *run, struct kept *kept) {
  if (!stop_threads(&kept->stopped)) return "cannot be stopped";
  if (!end_others(settings, kept)) return "has left a process";
  if (has_left_door(kept)) return "has done something else at the door than to wait";
  const char *found = inspect_stopped(settings, &kept->stopped, run);
  return found || log_has_ended(run) ? found : "keeps the output of its run";
}

static struct kept *make_kept(const struct settings *settings, struct run *run, const struct request *request) {
  static struct kept kept;
  kept.standing = start_standing(settings, run, request, "it cannot stay");
  kept.stopped.process = kept.standing.process, kept.stopped.init = kept.standing.init;
  shut(&kept.standing.scrap);
  note_beginning(&kept.stopped);
  watch_traces();
  return &kept;
}

/* The run's pipes are its own: whoever keeps a copy must end with it. */
static bool hand_over_pipes(struct run *run, struct kept *kept) {
  struct stat out, err;
  if (fstat(run->stdout_write, &out) < 0 || fstat(run->stderr_write, &err) < 0) die("its pipes");
  kept->stopped.pipes[0] = out.st_ino, kept->stopped.pipes[1] = err.st_ino;
  run->waiting.door = kept->standing.door, kept->standing.door = -1;
  return send_pipes(run->waiting.door, run);
}

static const char *perform(const struct settings *settings, struct run *run, const struct request *request, struct kept *kept,
                           struct report *report) {
  const char *leaves = "has ended";
  report->problem = bind_request(request, run);
  die_if_going(kept);
  if (!report->problem) report->problem = open_egress(request);
  if (report->problem) return leaves;
  run->waiting.listener = listen_at_door();
  kept->wishes = false;
  if (!hand_over_pipes(run, kept)) die("what stays for the runs has left the door");
  shut(&run->stdout_write), shut(&run->stderr_write);
  struct child child = kept->standing.command;
  child.kept = kept;
  supervise(settings, request, run, &child, report);
  if (!report->announced && !report->terminated && !report->problem) die_if_gone();
  shut(&run->waiting.door), shut(&run->waiting.listener);
  if (!kept->wishes) return leaves;
  report->exit_code = 0;
  return report->terminated || report->problem || report->out_of_memory ? leaves : settle(settings, run, kept);
}

static void perform_kept(const struct settings *settings, struct run *run, const struct request *request, struct kept *kept) {
  struct report report = {.exit_code = -1, .init = kept->standing.init};
  struct use before = look_before(settings);
  if (!has_given_ids(settings)) shut(&run->outputs);
  const char *leaves = perform(settings, run, request, kept, &report);
  shut(&run->stdout_read), shut(&run->stdout_write), shut(&run->stderr_read), shut(&run->stderr_write);
  if (leaves) {
    read_report(&report, kept->standing.command.status);
    if (kept->wishes) report.exit_code = 0;
    end_everything(kept->standing.command.pid, &report);
  }
  report.ended = now_ms();
  read_refused(&run->refused);
  shut(&run->refused.socket);
  struct use use = used_since(settings, &before);
  const pid_t staying[] = {kept->stopped.process, kept->stopped.init};
  long long used_ms = leaves ? use.cpu_ms : used_by_ms(staying, 2);
  use.cpu_ms = used_ms - kept->counted_ms;
  kept->counted_ms = used_ms;
  if (use.cpu_ms < 0) use.cpu_ms = 0; /* each is rounded in its own way */
  tell_end(run, &report, &use);
  errno = 0;
  if (!leaves && use.oom_kills > 0) leaves = "has run out of memory";
  if (leaves) die("the process %s", leaves);
}

/* While it stands still and nobody else is there. */
static void make_anew(const struct settings *settings, struct run *run, const struct request *request) {
  renew_places(settings, run, request);
  watch_refused(&run->refused);
  open_pipes(settings, run);
}

_Noreturn void serve_kept(const struct settings *settings, struct run *run, const struct request *request, pid_t outside) {
  struct kept *kept = make_kept(settings, run, request);
  shut(&run->stdout_read), shut(&run->stdout_write), shut(&run->stderr_read), shut(&run->stderr_write);
  shut(&run->outputs), shut(&run->refused.socket);
  while (true) {
    make_anew(settings, run, request);
    offer_memory(&kept->stopped);
    tell("ready %d %d %d %d", outside, run->stdout_read, run->stderr_read, run->outputs);
    tell("warm");
    request = await_run();
    perform_kept(settings, run, request, kept);
    wait_for_no_traces(request);
  }
}
