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

enum { FORK_MS = 5000 };

static struct frozen make_template(const struct settings *settings, struct run *run, const struct request *request,
                                   struct child *command) {
  struct standing standing = start_standing(settings, run, request, "it cannot be a template");
  struct frozen frozen = {.first = standing.process, .init = standing.init};
  int unread = 0;
  *command = standing.command;
  shut(&command->status);
  seize(&frozen);
  watch_traces();
  forget_process_ids(frozen.init, FIRST_ID); /* threads that have ended have had some */
  if (write(standing.door, "g", 1) != 1) die("the door");
  shut(&standing.door);
  await_template(&frozen, FORK_MS);
  thaw_until_fork(&frozen, FORK_MS);
  if (ioctl(standing.scrap, FIONREAD, &unread) < 0 || unread > 0) give_up_with(standing.scrap, "its imports print");
  shut(&standing.scrap);
  check_places_are_empty(settings, run);
  hide_process(run, frozen.first, FIRST_ID);
  hide_process(run, frozen.process, TEMPLATE_ID);
  forget_process_ids(frozen.init, TEMPLATE_ID);
  inspect(settings, &frozen);
  return frozen;
}

static void set_scores(const struct frozen *frozen, const char *score) {
  set_score(frozen->first, score), set_score(frozen->process, score), set_score(frozen->child, score);
}

/* Where memory is short, whoever has no run ends first. */
static void offer_memory_of(struct frozen *frozen) {
  char *score = frozen->score;
  if (!*score) append_file(&score, score + sizeof frozen->score, frozen->process, "oom_score_adj", "");
  set_scores(frozen, "1000");
}

static bool sweep_all(const struct settings *settings, const struct frozen *frozen, const struct child *command) {
  const pid_t staying[] = {frozen->first, frozen->process, frozen->init, command->pid};
  return sweep(settings, staying, sizeof staying / sizeof *staying, ALONE);
}

static bool has_ended(pid_t held) { return waitpid(held, NULL, __WALL | WNOHANG) != 0; }

/* All of the box. */
static long long used_so_far_ms(const struct frozen *frozen, const struct child *command) {
  const pid_t all[] = {command->pid, frozen->init, frozen->first, frozen->process, frozen->child};
  return used_by_ms(all, sizeof all / sizeof *all);
}

/* What was there before it is the template's own. */
static void tell_forked_end(struct run *run, struct report *report, const struct use *before, struct use *use) {
  if (use->peak_bytes >= 0) use->peak_bytes -= before->had_bytes;
  tell_end(run, report, use);
}

/* Who ends with process 1 of the box is waited for by nobody, so what it has taken of the processors is not known. */
static _Noreturn void end_with(const struct settings *settings, struct run *run, struct report *report, const struct use *before) {
  kill(-1, SIGKILL);
  while (wait(NULL) > 0 || errno == EINTR)
    ;
  struct use use = used_since(settings, before);
  use.cpu_ms = -1;
  tell_forked_end(run, report, before, &use);
  exit(0);
}

/* What is killed does not stand still any more, some time before it has ended. */
static void die_if_one_is_going(const struct frozen *frozen) {
  const pid_t held[] = {frozen->first, frozen->process, frozen->child};
  unsigned long message;
  die_if_gone();
  for (size_t i = 0; i < sizeof held / sizeof *held; i++)
    if (ptrace(PTRACE_GETEVENTMSG, held[i], 0, &message) < 0) die("the template is being ended");
}

static void perform_forked(const struct settings *settings, struct run *run, const struct request *request,
                           struct frozen *frozen, const struct child *command) {
  struct report report = {.exit_code = -1, .init = frozen->init};
  struct use before = look_before(settings);
  bool lost = false;
  shut(&run->stdout_read), shut(&run->stderr_read);
  if (!has_given_ids(settings)) shut(&run->outputs);
  report.problem = bind_request(request, run);
  die_if_one_is_going(frozen);
  if (!report.problem) report.problem = open_egress(request);
  if (!report.problem) {
    run->waiting.listener = listen_at_door();
    set_scores(frozen, frozen->score);
    die_if_one_is_going(frozen);
    if (ptrace(PTRACE_DETACH, frozen->child, 0, 0) < 0) die("letting a run go on");
    struct child child = {.pid = frozen->child, .bubblewrap = command->pid, .template = frozen->process, .first = frozen->first, .status = -1, .hold = -1};
    lost = supervise(settings, request, run, &child, &report);
    report.exit_code = lost ? -1 : exit_code_of_run(frozen);
    /* What has ended must stay until the template asks for it. Where it does not, somebody else would be counted in its place. */
    if (report.exit_code < 0) lost = true, report.exit_code = 128 + SIGKILL;
  }
  shut(&run->waiting.door), shut(&run->waiting.listener);
  shut(&run->stdout_write), shut(&run->stderr_write);
  lost = lost || report.problem || has_ended(frozen->first) || has_ended(frozen->process) || !sweep_all(settings, frozen, command);
  report.ended = now_ms();
  read_refused(&run->refused);
  shut(&run->refused.socket);
  if (lost) end_with(settings, run, &report, &before);
  struct use use = used_since(settings, &before);
  use.cpu_ms = used_so_far_ms(frozen, command) - frozen->counted_ms;
  if (use.cpu_ms < 0) use.cpu_ms = 0; /* each is rounded in its own way */
  tell_forked_end(run, &report, &before, &use);
}

/* The run has ended, and the worker knows. */
static void make_ready_again(const struct settings *settings, struct run *run, const struct request *request,
                             struct frozen *frozen) {
  inspect(settings, frozen);
  wait_for_no_traces(NULL);
  renew_places(settings, run, request);
  forget_process_ids(frozen->init, TEMPLATE_ID);
  thaw_until_fork(frozen, FORK_MS);
  inspect(settings, frozen);
  watch_refused(&run->refused);
  open_pipes(settings, run);
}

_Noreturn void serve_template(const struct settings *settings, struct run *run, const struct request *request, pid_t outside) {
  struct child command;
  struct frozen frozen = make_template(settings, run, request, &command);
  while (true) {
    frozen.counted_ms = used_so_far_ms(&frozen, &command);
    offer_memory_of(&frozen);
    tell("warm");
    request = await_run();
    perform_forked(settings, run, request, &frozen, &command);
    make_ready_again(settings, run, request, &frozen);
    tell("ready %d %d %d %d", outside, run->stdout_read, run->stderr_read, run->outputs);
  }
}
