/* Settings from the command line, then one run after another until the worker closes the socket. */
#include "launcher.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *next(char ***words) {
  errno = 0;
  if (!**words) die("an option lacks its value");
  return *(*words)++;
}

static struct settings read_settings(char **words) {
  struct settings settings = {
      .oom_events = -1, .memory_peak = -1, .process_count = -1, .socket_usage = -1, .open_files = RLIM_INFINITY, .processes = RLIM_INFINITY, .heap = RLIM_INFINITY};
  while (*words) {
    const char *option = next(&words);
    errno = 0;
    if (settings.bind_count == MAX_BINDS || settings.tmpfs_count == MAX_TMPFS || settings.group_count == MAX_GROUPS)
      die("too many options");
    if (!strcmp(option, "--worker")) {
      settings.worker = atoi(next(&words));
    } else if (!strcmp(option, "--uid")) {
      settings.uid = strtoul(next(&words), NULL, 10);
      settings.drop = true;
    } else if (!strcmp(option, "--given-ids")) {
      settings.ids = strtoul(next(&words), NULL, 10);
      settings.id_count = strtoul(next(&words), NULL, 10);
      settings.map_users = next(&words);
      settings.map_groups = next(&words);
    } else if (!strcmp(option, "--take-back")) {
      settings.take_back = next(&words);
    } else if (!strcmp(option, "--watches")) {
      settings.watches = strtoull(next(&words), NULL, 10);
    } else if (!strcmp(option, "--bubblewrap")) {
      settings.bubblewrap = next(&words);
    } else if (!strcmp(option, "--skeleton")) {
      settings.skeleton = next(&words);
    } else if (!strcmp(option, "--outputs")) {
      settings.outputs = next(&words);
    } else if (!strcmp(option, "--join")) {
      settings.groups[settings.group_count++] = next(&words);
    } else if (!strcmp(option, "--oom-events")) {
      settings.oom_events_path = next(&words);
    } else if (!strcmp(option, "--memory-peak")) {
      settings.memory_peak_path = next(&words);
    } else if (!strcmp(option, "--process-count")) {
      settings.process_count_path = next(&words);
    } else if (!strcmp(option, "--socket-usage")) {
      settings.socket_usage_path = next(&words);
      settings.socket_most = strtoull(next(&words), NULL, 10);
    } else if (!strcmp(option, "--open-files")) {
      settings.open_files = strtoull(next(&words), NULL, 10);
    } else if (!strcmp(option, "--processes")) {
      settings.processes = strtoull(next(&words), NULL, 10);
    } else if (!strcmp(option, "--heap")) {
      settings.heap = strtoull(next(&words), NULL, 10);
    } else if (!strcmp(option, "--socket-buffer")) {
      settings.socket_buffer = strtoul(next(&words), NULL, 10);
    } else if (!strcmp(option, "--bind") || !strcmp(option, "--device")) {
      struct bind *bind = &settings.binds[settings.bind_count++];
      bind->devices = option[2] == 'd';
      bind->source = next(&words);
      bind->target = next(&words);
    } else if (!strcmp(option, "--tmpfs")) {
      struct tmpfs *tmpfs = &settings.tmpfs[settings.tmpfs_count++];
      tmpfs->target = next(&words);
      tmpfs->options = next(&words);
    } else {
      die("unknown option %s", option);
    }
  }
  if (settings.take_back) return settings;
  if (!settings.worker || !settings.bubblewrap || !settings.skeleton || !settings.outputs || !settings.socket_buffer) die("an option is missing");
  return settings;
}

/* What the worker says before there is a run is about the interpreter that waits for it. */
static struct request *next_run(const struct settings *settings, struct run *run, pid_t outside) {
  while (true) {
    wait_for_worker(run);
    int letter = receive_letter();
    if (letter == 'C') stop_waiting(run);
    if (letter == 'W') start_waiting(settings, run, receive_request());
    if (letter == 'P') serve_template(settings, run, receive_request(), outside);
    if (letter == 'S') serve_kept(settings, run, receive_request(), outside);
    if (letter == 'R') return receive_request();
    /* Others are orders for a run that has ended meanwhile. */
  }
}

/* The ids that are given to us are ours to use in a user namespace. Ends with 0 where something was taken, 2 where nothing was left. */
static _Noreturn void take_back(const struct settings *settings) {
  enter_user_namespace(settings);
  int tree = open(settings->take_back, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  exit(tree >= 0 && hand_over_tree(tree) ? 0 : 2);
}

int main(int count, char **words) {
  (void)count;
  remember_words(words);
  static struct settings settings;
  settings = read_settings(words + 1);
  close_unexpected_descriptors();
  die_with(settings.worker);
  if (settings.take_back) take_back(&settings);
  mitigate_speculation();
  /* Ctrl-C in a terminal is for the worker, which then drains. */
  setsid();
  signal(SIGPIPE, SIG_IGN);
  join_groups(&settings);
  go_first();
  if (settings.oom_events_path) settings.oom_events = open(settings.oom_events_path, O_RDONLY | O_CLOEXEC);
  if (settings.memory_peak_path) settings.memory_peak = open(settings.memory_peak_path, O_RDWR | O_CLOEXEC);
  if (settings.process_count_path) settings.process_count = open(settings.process_count_path, O_RDONLY | O_CLOEXEC);
  if (settings.socket_usage_path) settings.socket_usage = open(settings.socket_usage_path, O_RDONLY | O_CLOEXEC);
  enter_user_namespace(&settings);
  pid_t outside = become_process_one();
  build_stage(&settings);
  while (true) {
    struct run run;
    prepare_run(&settings, &run);
    tell("ready %d %d %d %d", outside, run.stdout_read, run.stderr_read, run.outputs);
    perform_run(&settings, &run, next_run(&settings, &run, outside));
  }
}
