/* What the launcher does to itself and to its children so that they can do less. */
#include "launcher.h"
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

int write_file(const char *path, const char *text) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  ssize_t length = strlen(text), written = write(fd, text, length);
  int error = errno;
  close(fd);
  errno = error;
  return written == length ? 0 : -1;
}

void shut(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

static char **own_words;

void remember_words(char **words) { own_words = words; }

void hide_words(void) {
  for (char **word = own_words; *word; word++) memset(*word, 0, strlen(*word));
}

/* Whatever the worker inherited or forgot to mark close-on-exec ends here, not in a box. */
void close_unexpected_descriptors(void) {
  if (syscall(SYS_close_range, CHANNEL_FD + 1u, ~0u, 0u) < 0) die("close_range (Linux 5.9 or newer is needed)");
  for (int fd = CONTROL_FD; fd <= CHANNEL_FD; fd++) fcntl(fd, F_SETFD, FD_CLOEXEC);
  /* Occupy the numbers that children use, so that no descriptor of ours is ever overwritten there. */
  while (true) {
    int fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (fd < 0) die("/dev/null");
    if (fd > LAST_FIXED_FD) {
      close(fd);
      return;
    }
  }
}

/* Killed with the parent, even when the parent is killed. Changing the user id clears this: call it again. */
void die_with(pid_t parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0) die("prctl");
  if (getppid() != parent) exit(0);
}

/*
 * What a box can do is read other memory of its own processor by timing. Since Linux 5.16 a filter of system calls does not
 * switch this on by itself any more. For good, and inherited; where the processor or the kernel leaves no choice, neither do we.
 */
void mitigate_speculation(void) {
  int state = prctl(PR_GET_SPECULATION_CTRL, PR_SPEC_STORE_BYPASS, 0, 0, 0);
  if (state < 0 || !(state & PR_SPEC_PRCTL) || state & PR_SPEC_FORCE_DISABLE) return;
  if (prctl(PR_SET_SPECULATION_CTRL, PR_SPEC_STORE_BYPASS, PR_SPEC_FORCE_DISABLE, 0, 0) < 0) die("speculation control");
}

/* Children are born where we are: joining once per slot saves the kernel's slow move for each run. */
void join_groups(const struct settings *settings) {
  for (int i = 0; i < settings->group_count; i++)
    if (write_file(settings->groups[i], "0") < 0) die("joining the cgroup %s", settings->groups[i]);
  /*
   * Under pressure the kernel should take a box, never us. Only root may ask for that. What root writes under the new
   * name is also the least that our children may ask for: were it -1000, a box could put itself out of reach.
   */
  if (geteuid() == 0 && write_file("/proc/self/oom_score_adj", "0") == 0) write_file("/proc/self/oom_adj", "-17");
}

static int usual_niceness;

/*
 * A hundred processes of a box can take much in the time until it is our turn among them. Only root may ask for this; boxes give it
 * back, and may not ask.
 */
void go_first(void) {
  usual_niceness = getpriority(PRIO_PROCESS, 0);
  setpriority(PRIO_PROCESS, 0, -15);
}

/* Maps each id to itself, for all ids that our own namespace knows. Needs a process that stayed outside. */
static void map_all_ids(pid_t target) {
  for (int i = 0; i < 2; i++) {
    const char *kind = i ? "gid" : "uid";
    char own[64], theirs[64], map[4096] = "";
    size_t length = 0;
    unsigned inside, outside, count;
    snprintf(own, sizeof own, "/proc/self/%s_map", kind);
    snprintf(theirs, sizeof theirs, "/proc/%d/%s_map", target, kind);
    FILE *file = fopen(own, "re");
    if (!file) die("%s", own);
    while (length < sizeof map - 40 && fscanf(file, "%u %u %u", &inside, &outside, &count) == 3)
      length += snprintf(map + length, sizeof map - length, "%u %u %u\n", inside, inside, count);
    fclose(file);
    if (write_file(theirs, map) < 0) die("%s", theirs);
  }
}

static void map_by_program(const struct settings *settings, const char *program, pid_t target, unsigned own) {
  char process[16], id[16], first[16], count[16];
  int status;
  snprintf(process, sizeof process, "%d", target);
  snprintf(id, sizeof id, "%u", own);
  snprintf(first, sizeof first, "%u", settings->ids);
  snprintf(count, sizeof count, "%u", settings->id_count);
  pid_t child = fork();
  if (child < 0) die("fork");
  if (child == 0) {
    execve(program, (char *[]){(char *)program, process, id, id, "1", first, first, count, NULL}, (char *[]){NULL});
    die("%s", program);
  }
  if (waitpid(child, &status, 0) != child || status != 0) die("%s could not map the ids", program);
}

/* Those that the system has given to an ordinary user, beside its own. Only programs of root may map them. */
static void map_given_ids(const struct settings *settings, pid_t target) {
  map_by_program(settings, settings->map_users, target, getuid());
  map_by_program(settings, settings->map_groups, target, getgid());
}

bool has_given_ids(const struct settings *settings) { return settings->map_users != NULL; }

static void map_own_id(uid_t uid, gid_t gid) {
  char map[64];
  if (write_file("/proc/self/setgroups", "deny") < 0) die("setgroups");
  snprintf(map, sizeof map, "%u %u 1", uid, uid);
  if (write_file("/proc/self/uid_map", map) < 0) die("uid_map");
  snprintf(map, sizeof map, "%u %u 1", gid, gid);
  if (write_file("/proc/self/gid_map", map) < 0) die("gid_map");
}

/*
 * Within a user namespace of our own we may mount and make network namespaces, whoever started us, and as
 * root we lose every power over the host but that over files. Host name and cgroup root are hidden here,
 * once for all runs: no box can change them. Our children will be in a process namespace of their own.
 */
void enter_user_namespace(const struct settings *settings) {
  int ready[2];
  pid_t self = getpid(), mapper = 0;
  uid_t uid = geteuid(); /* inside they are unknown until they are mapped */
  gid_t gid = getegid();
  if (pipe2(ready, O_CLOEXEC) < 0) die("pipe");
  bool maps_others = settings->drop || has_given_ids(settings);
  if (maps_others && (mapper = fork()) < 0) die("fork");
  if (maps_others && mapper == 0) {
    char byte;
    die_with(self);
    close(ready[1]);
    if (read(ready[0], &byte, 1) != 1) exit(0);
    if (has_given_ids(settings)) map_given_ids(settings, self);
    else map_all_ids(self);
    exit(0);
  }
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWUTS | CLONE_NEWCGROUP) < 0) die("unshare");
  if (maps_others) {
    int status;
    if (write(ready[1], "x", 1) != 1 || waitpid(mapper, &status, 0) != mapper || status != 0) die("mapping user ids");
  } else {
    map_own_id(uid, gid);
  }
  close(ready[0]);
  close(ready[1]);
  die_with(settings->worker); /* new credentials have cleared it */
  if (sethostname("sandbox", 7) < 0) die("sethostname");
}

/*
 * Goes on in a child that is process 1 of the new namespace. Whenever and however it ends, the kernel ends
 * everything that it has started, and what lost its parent becomes its child. The original process only waits.
 * Returns our process id as the worker knows it.
 */
pid_t become_process_one(void) {
  pid_t child = fork();
  if (child < 0) die("fork");
  if (child == 0) {
    /* getppid() is of no use here: a parent outside the namespace is 0. A parent lost before this line takes
       the worker's interest with it, and the worker then closes the socket. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0) die("prctl");
    char outside[16] = "";
    if (readlink("/proc/self", outside, sizeof outside - 1) < 0) die("/proc/self");
    return atoi(outside);
  }
  int status;
  if (syscall(SYS_close_range, CONTROL_FD, ~0u, 0u) < 0) die("close_range");
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 125);
}

static int limit(int resource, rlim_t value) {
  struct rlimit current;
  if (value == RLIM_INFINITY) return 0;
  if (getrlimit(resource, &current) < 0) return -1;
  if (current.rlim_max < value) value = current.rlim_max;
  return setrlimit(resource, &(struct rlimit){value, value});
}

/* Signals that wait, and queues of messages, the kernel counts for the worker's user as well, whoever the box is. */
int apply_limits(const struct settings *settings, const struct request *request) {
  write_file("/proc/self/oom_score_adj", "500");
  setpriority(PRIO_PROCESS, 0, usual_niceness);
  return limit(RLIMIT_CORE, 0) || limit(RLIMIT_RTPRIO, 0) || limit(RLIMIT_NICE, 0) || limit(RLIMIT_MEMLOCK, 64 << 10) ||
         limit(RLIMIT_SIGPENDING, 1024) || limit(RLIMIT_MSGQUEUE, 100 << 10) ||
         limit(RLIMIT_NOFILE, settings->open_files) || limit(RLIMIT_NPROC, settings->processes) ||
         limit(RLIMIT_DATA, settings->heap) || limit(RLIMIT_FSIZE, request->app_bytes ? request->app_bytes : RLIM_INFINITY);
}

int drop_privileges(const struct settings *settings) {
  if (!settings->drop) return 0; /* executing bubblewrap takes our capabilities, for we are not root */
  return setgroups(0, NULL) || setresgid(settings->uid, settings->uid, settings->uid) ||
         setresuid(settings->uid, settings->uid, settings->uid);
}
