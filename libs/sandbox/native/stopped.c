/*
 * A process that stays for several runs is stopped between two of them, with all of its threads, by ptrace: a stop that no signal
 * ends but SIGKILL, and no timer. While it is stopped nothing of the box can change, so what the kernel counts is true. Its memory is
 * its own, and is not looked at. What is looked at is what would be a way out of it once its run has ended: processes, pipes, places,
 * sockets, locks, timers.
 */
#include "stopped.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STOP_MS = 1000, LOOK_MS = 500, PAUSE_US = 50, MOST_TEXT = 16384, SOCKETS_AT_THE_DOOR = 2 };

static DIR *open_folder(pid_t process, const char *name) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", process, name);
  return opendir(path);
}

static bool knows(const struct stopped *stopped, pid_t thread) {
  for (int i = 0; i < stopped->thread_count; i++)
    if (stopped->threads[i].id == thread) return true;
  return false;
}

/* Those that were not known yet. -1: it has too many, or one that may not be held. */
static int seize_new(struct stopped *stopped) {
  struct dirent *entry;
  int count = 0;
  DIR *threads = open_folder(stopped->process, "task");
  if (!threads) return -1;
  while (count >= 0 && (entry = readdir(threads))) {
    pid_t id = isdigit((unsigned char)entry->d_name[0]) ? atoi(entry->d_name) : 0;
    if (!id || knows(stopped, id)) continue;
    count++;
    if (ptrace(PTRACE_SEIZE, id, 0, PTRACE_O_EXITKILL) < 0) {
      if (errno != ESRCH) count = -1; /* it has just ended: look again */
      continue;
    }
    if (stopped->thread_count == MAX_THREADS || ptrace(PTRACE_INTERRUPT, id, 0, 0) < 0) count = -1;
    else stopped->threads[stopped->thread_count++] = (typeof(stopped->threads[0])){.id = id};
  }
  closedir(threads);
  return count;
}

/* Whether all that are known stand still. */
static bool collect_stops(struct stopped *stopped) {
  bool all = true;
  for (int i = 0; i < stopped->thread_count; i++) {
    int status;
    if (stopped->threads[i].stands) continue;
    pid_t found = waitpid(stopped->threads[i].id, &status, __WALL | WNOHANG);
    if (found > 0 && WIFSTOPPED(status)) {
      /* Before a signal is delivered to it, or where one has stopped it before us; of what we stop, it is SIGTRAP. */
      stopped->threads[i].signal = WSTOPSIG(status) == SIGTRAP && status >> 16 ? 0 : WSTOPSIG(status);
      stopped->threads[i].stands = true;
    } else if (found != 0) {
      stopped->threads[i--] = stopped->threads[--stopped->thread_count]; /* it has ended */
    } else {
      all = false;
    }
  }
  return all;
}

/*
 * A thread that executes a program takes the id of the first one, which may have stood still before. So the kernel is asked once more: it
 * answers only of what is held by us, and stands still.
 */
static bool stand_still(const struct stopped *stopped) {
  unsigned long message;
  for (int i = 0; i < stopped->thread_count; i++)
    if (ptrace(PTRACE_GETEVENTMSG, stopped->threads[i].id, 0, &message) < 0) return false;
  return stopped->thread_count > 0;
}

/* Only a thread of it can make another: once all that are known stand still and no other is found, there is none. */
bool stop_threads(struct stopped *stopped) {
  stopped->thread_count = 0;
  for (int64_t until = now_ms() + STOP_MS; now_ms() < until;) {
    bool all = collect_stops(stopped);
    int found = seize_new(stopped);
    if (found < 0) return false;
    if (all && found == 0) return stand_still(stopped);
    usleep(PAUSE_US);
  }
  return false;
}

/* false: one of them is being killed, and so are all. */
bool release_threads(struct stopped *stopped) {
  bool all = true;
  for (int i = 0; i < stopped->thread_count; i++)
    if (ptrace(PTRACE_DETACH, stopped->threads[i].id, 0, (void *)(intptr_t)stopped->threads[i].signal) < 0) all = false;
  stopped->thread_count = 0;
  return all;
}

/* The places that are each run's own. */
struct places {
  dev_t devices[MAX_TMPFS];
  int count;
};

static bool find_places(const struct settings *settings, const struct run *run, struct places *places) {
  bool found = true;
  places->count = settings->tmpfs_count;
  enter_box(run);
  for (int i = 0; i < settings->tmpfs_count; i++) {
    struct stat place;
    if (stat(settings->tmpfs[i].target, &place) < 0) found = false;
    else places->devices[i] = place.st_dev;
  }
  leave_box(run);
  return found;
}

static bool is_in(const struct places *places, const struct stat *file) {
  for (int i = 0; i < places->count; i++)
    if (places->devices[i] == file->st_dev) return true;
  return false;
}

static bool holds_lock(int folder, const char *name) {
  char text[4096];
  int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
  ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
  shut(&fd);
  text[length > 0 ? length : 0] = 0;
  return length < 0 || strstr(text, "\nlock:") != NULL;
}

/* Meanwhile nobody keeps the run's time. Each of its threads may have as many descriptors as a process. */
static const char *inspect_files(const struct stopped *stopped, const struct places *places, pid_t thread, int64_t until, int *count) {
  struct dirent *entry;
  const char *found = NULL;
  DIR *files = open_folder(thread, "fd"), *about = open_folder(thread, "fdinfo");
  if (!files || !about) found = "has files that cannot be looked at";
  while (!found && (entry = readdir(files))) {
    struct stat file;
    if (entry->d_name[0] == '.') continue;
    ++*count;
    if (now_ms() > until) found = "has more files than can be looked at";
    else if (fstatat(dirfd(files), entry->d_name, &file, 0) < 0) found = "has files that cannot be looked at";
    else if (S_ISFIFO(file.st_mode) && (file.st_ino == stopped->pipes[0] || file.st_ino == stopped->pipes[1])) found = "keeps the output of its run";
    else if (is_in(places, &file)) found = "keeps a file of its run";
    else if (holds_lock(dirfd(about), entry->d_name)) found = "keeps a lock";
  }
  if (files) closedir(files);
  if (about) closedir(about);
  return found;
}

/* A thread may have descriptors of its own; mostly it shares its process's. */
static const char *inspect_descriptors(const struct stopped *stopped, const struct places *places, int *count) {
  const char *found = NULL;
  int64_t until = now_ms() + LOOK_MS;
  for (int i = 0; i < stopped->thread_count && !found; i++) {
    pid_t thread = stopped->threads[i].id;
    bool shares = thread != stopped->process && syscall(SYS_kcmp, thread, stopped->process, 2 /* KCMP_FILES */, 0, 0) == 0;
    if (!shares) found = inspect_files(stopped, places, thread, until, count);
  }
  return found;
}

/* Each thread may have a folder of its own as well. */
static const char *inspect_places(const struct stopped *stopped, const struct places *places) {
  char path[64], folder[8];
  struct stat program;
  for (int i = 0; i < stopped->thread_count; i++) {
    snprintf(path, sizeof path, "/proc/%d/cwd", stopped->threads[i].id);
    ssize_t length = readlink(path, folder, sizeof folder - 1);
    if (length != 1 || folder[0] != '/') return "is in a folder of its own";
  }
  snprintf(path, sizeof path, "/proc/%d/exe", stopped->process);
  if (stat(path, &program) < 0 || is_in(places, &program)) return "is a program of its own";
  return NULL;
}

static int count_lines(const char *path) {
  char line[512];
  int count = 0;
  FILE *list = fopen(path, "re");
  if (!list) return -1;
  while (fgets(line, sizeof line, list)) count++;
  fclose(list);
  return count;
}

/* Descriptors may lie in a message that nobody has read yet. There is a line that says what the columns are. */
static const char *inspect_sockets(void) {
  return count_lines("/proc/net/unix") == 1 + SOCKETS_AT_THE_DOOR ? NULL : "has local sockets";
}

/* What has been sent to a thread, or to all of them, and is not delivered yet: the next run would get it. */
static bool has_signals(pid_t thread) {
  char path[64], line[256];
  uint64_t mask, waiting = 0;
  snprintf(path, sizeof path, "/proc/%d/status", thread);
  FILE *status = fopen(path, "re");
  if (!status) return true;
  while (fgets(line, sizeof line, status))
    if (sscanf(line, "SigPnd:\t%lx", &mask) == 1 || sscanf(line, "ShdPnd:\t%lx", &mask) == 1) waiting |= mask;
  fclose(status);
  return (waiting & ~(1ull << (SIGCHLD - 1))) != 0;
}

static const char *inspect_signals(const struct stopped *stopped) {
  for (int i = 0; i < stopped->thread_count; i++) {
    int signal = stopped->threads[i].signal;
    if ((signal && signal != SIGCHLD) || has_signals(stopped->threads[i].id)) return "was sent a signal";
  }
  return NULL;
}

static const char *inspect_timers(pid_t process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/timers", process);
  return count_lines(path) == 0 ? NULL : "has timers";
}

static char *note_changeable(const struct stopped *stopped) {
  char *text = calloc(1, MOST_TEXT), *at = text;
  if (!text) die("out of memory");
  append_changeable(&at, text + MOST_TEXT, stopped->process);
  append_file(&at, text + MOST_TEXT, stopped->process, "status", "Umask:");
  append_file(&at, text + MOST_TEXT, stopped->process, "oom_score_adj", "");
  append_changeable(&at, text + MOST_TEXT, stopped->init);
  return text;
}

void offer_memory(const struct stopped *stopped) { set_score(stopped->process, "1000"); }

void note_beginning(struct stopped *stopped) {
  char *score = stopped->score, *end = score + sizeof stopped->score;
  append_file(&score, end, stopped->process, "oom_score_adj", "");
  stopped->baseline = note_changeable(stopped);
}

static const char *inspect_changes(const struct stopped *stopped) {
  char *now = note_changeable(stopped);
  bool same = !strcmp(now, stopped->baseline);
  free(now);
  return same ? NULL : "has changed its limits";
}

/* Everything else of the box has ended. */
const char *inspect_stopped(const struct settings *settings, struct stopped *stopped, const struct run *run) {
  struct places places;
  int descriptors = 0;
  if (!find_places(settings, run, &places)) return "has no places";
  const char *found = inspect_descriptors(stopped, &places, &descriptors);
  if (!found) found = inspect_places(stopped, &places);
  if (!found) found = inspect_sockets();
  if (!found) found = inspect_signals(stopped);
  if (!found) found = inspect_timers(stopped->process);
  if (!found) found = inspect_changes(stopped);
  if (found) return found;
  if (!stopped->most_threads) stopped->most_threads = stopped->thread_count, stopped->descriptors = descriptors;
  if (stopped->thread_count > stopped->most_threads) return "has more threads than after its first answer";
  return descriptors > stopped->descriptors ? "has more descriptors than after its first answer" : NULL;
}

/* What is killed does not stand still any more, some time before it has ended. Before its first run it is not stopped. */
void die_if_going(const struct kept *kept) {
  die_if_gone();
  if (kept->stopped.thread_count && !stand_still(&kept->stopped)) die("what stays for the runs is being ended");
}

/* What is killed at this moment ends only when we have asked for each of its threads. */
void resume_kept(struct kept *kept) {
  set_score(kept->stopped.process, kept->stopped.score);
  if (!release_threads(&kept->stopped)) kill(-1, SIGKILL);
}

/* Somebody else of the box may knock as well, and is sent away. */
bool take_wish(struct run *run, struct kept *kept) {
  pid_t process = kept->standing.process;
  int door = accept_at_door(run->waiting.listener, &process);
  if (door < 0) return false;
  kept->standing.door = door;
  shut(&run->waiting.listener);
  return kept->wishes = true;
}
