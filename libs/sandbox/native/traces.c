/*
 * What a run in a template's box could leave for the next one, where namespaces are not made anew: files, System V and POSIX
 * objects, sockets, and how far process ids have got. Files and ids are made anew. The others have to be gone when every process of
 * the run is; where they are not, the box is.
 */
#include "launcher.h"
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 2000, PAUSE_MS = 2 };

/* Of the namespace for IPC, which has no other names. */
static const char QUEUES[] = "/tmp";
static bool renewed;

/* The number of the next System V object tells how many there have been. */
enum { SHARED_MEMORY, SEMAPHORES, QUEUES_OF_MESSAGES, KINDS };
static int next[KINDS];
static bool in_turn;

static _Noreturn void give_up(const char *what) {
  errno = 0;
  die("the box has %s", what);
}

static int make_object(int kind) {
  int number = kind == SHARED_MEMORY ? shmget(IPC_PRIVATE, 1, 0600) : kind == SEMAPHORES ? semget(IPC_PRIVATE, 1, 0600) : msgget(IPC_PRIVATE, 0600);
  if (number < 0) die("a System V object");
  int removed = kind == SHARED_MEMORY ? shmctl(number, IPC_RMID, NULL) : kind == SEMAPHORES ? semctl(number, 0, IPC_RMID) : msgctl(number, IPC_RMID, NULL);
  if (removed < 0) die("removing a System V object");
  return number;
}

/* Newer kernels use 64 places in turn, older ones the first again. Behind the last place, or each time, a round begins. */
static int number_after(int number) {
  enum { PLACES = 64, ROUND = 1 << 15 };
  return in_turn && number % ROUND < PLACES - 1 ? number + 1 : (number / ROUND + 1) * ROUND;
}

void watch_traces(void) {
  if (mount("mqueue", QUEUES, "mqueue", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0) die("message queues");
  /* A connection that has ended would be remembered for a minute, and how fast its peer was for longer. */
  if (write_file("/proc/sys/net/ipv4/tcp_max_tw_buckets", "0") < 0) die("connections that have ended");
  if (write_file("/proc/sys/net/ipv4/tcp_no_metrics_save", "1") < 0) die("what is remembered of connections");
  for (int kind = SHARED_MEMORY; kind < KINDS; kind++) {
    int first = make_object(kind);
    int second = make_object(kind);
    in_turn = second == first + 1;
    next[kind] = number_after(second);
  }
}

static bool is_empty(const char *path) {
  struct dirent *entry;
  DIR *folder = opendir(path);
  if (!folder) die("%s", path);
  while ((entry = readdir(folder)))
    if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) break;
  closedir(folder);
  return !entry;
}

/* The kernel lists things under a line that says what the columns are. */
static bool lists_nothing(const char *path) {
  char line[256];
  FILE *list = fopen(path, "re");
  if (!list) return errno == ENOENT;
  bool empty = !fgets(line, sizeof line, list) || !fgets(line, sizeof line, list);
  fclose(list);
  return empty;
}

static bool has_no_sockets(void) {
  char text[64] = "";
  FILE *usage = fopen("/proc/net/sockstat", "re");
  if (!usage || !fgets(text, sizeof text, usage)) die("/proc/net/sockstat");
  fclose(usage);
  return !strcmp(text, "sockets: used 0\n") && lists_nothing("/proc/net/tcp") && lists_nothing("/proc/net/tcp6");
}

/* Addresses as the kernel writes them: IPv4, or behind this as IPv6. */
static const char MAPPED[] = "0000000000000000FFFF0000";

static bool is_at(struct place place, const char *address, unsigned port) {
  char text[16];
  snprintf(text, sizeof text, "%08X", place.address);
  if (!strncmp(address, MAPPED, sizeof MAPPED - 1)) address += sizeof MAPPED - 1;
  return port == place.port && !strcmp(address, text);
}

/*
 * The sockets of a list that somebody still has; one that nobody has any more is of no inode. Of those that lead to places of the
 * run, whether the other end is gone. Any other one ends this slot. Source: proc_net_tcp.rst, and the enum in
 * include/net/tcp_states.h.
 */
static bool are_dead(const char *path, const struct place *places, int place_count, bool datagrams) {
  enum { CLOSED = 7, CLOSE_WAIT, LAST_ACK };
  char line[256], local[40], remote[40];
  unsigned local_port, remote_port, state;
  unsigned long inode;
  bool dead = true;
  FILE *list = fopen(path, "re");
  if (!list) return errno == ENOENT;
  if (!fgets(line, sizeof line, list)) dead = false; /* what the columns are */
  while (dead && fgets(line, sizeof line, list)) {
    if (sscanf(line, " %*d: %39[0-9A-F]:%x %39[0-9A-F]:%x %x %*s %*s %*s %*d %*d %lu", local, &local_port, remote, &remote_port,
               &state, &inode) != 6)
      give_up("sockets that cannot be understood");
    if (!inode) continue;
    bool is_client = false, is_server = false;
    for (int i = 0; i < place_count; i++) {
      is_client |= is_at(places[i], remote, remote_port);
      is_server |= is_at(places[i], local, local_port);
    }
    if (!is_client && !is_server) give_up("sockets that lead elsewhere");
    dead = datagrams ? !is_server : state >= CLOSED && state <= LAST_ACK;
  }
  fclose(list);
  return dead;
}

/* The lists themselves take the kernel a millisecond each: it looks through the sockets of all namespaces. */
static bool counts_none(const char *path, const char *words) {
  char line[256];
  int count = 0;
  FILE *usage = fopen(path, "re");
  if (!usage) return errno == ENOENT;
  while (fgets(line, sizeof line, usage))
    if (!strncmp(line, words, strlen(words))) count = atoi(line + strlen(words));
  fclose(usage);
  return count == 0;
}

static bool connections_are_dead(const struct request *request) {
  static const char FOUR[] = "/proc/net/sockstat", SIX[] = "/proc/net/sockstat6";
  /* The worker's, which no box may bind. */
  const struct place dns = {htonl(INADDR_LOOPBACK), DNS_PORT};
  return (counts_none(FOUR, "UDP: inuse ") || are_dead("/proc/net/udp", &dns, 1, true)) &&
         (counts_none(SIX, "UDP6: inuse ") || are_dead("/proc/net/udp6", &dns, 1, true)) &&
         (counts_none(FOUR, "TCP: inuse ") || are_dead("/proc/net/tcp", request->ports, request->port_count, false)) &&
         (counts_none(SIX, "TCP6: inuse ") || are_dead("/proc/net/tcp6", request->ports, request->port_count, false));
}

/*
 * Connections to the gate end when the worker has read the end of the run. A look takes long where there are many. What stays may
 * have its own ends of those; `request`: of the run that is over. NULL: nobody has any sockets.
 */
void wait_for_no_traces(const struct request *request) {
  for (int64_t until = now_ms() + PATIENCE_MS; !(request ? connections_are_dead(request) : has_no_sockets());) {
    if (now_ms() > until) give_up("sockets that are still open");
    usleep(PAUSE_MS * 1000);
  }
  for (const char *const *list = (const char *const[]){"/proc/sysvipc/shm", "/proc/sysvipc/sem", "/proc/sysvipc/msg", NULL}; *list; list++)
    if (!lists_nothing(*list)) give_up("System V objects");
  for (int kind = SHARED_MEMORY; kind < KINDS; kind++) {
    int number = make_object(kind);
    if (number != next[kind]) give_up("had System V objects");
    next[kind] = number_after(number);
  }
  if (!is_empty(QUEUES)) give_up("message queues");
}

/* What an import has written would be missing in all runs but the first. */
void check_places_are_empty(const struct settings *settings, const struct run *run) {
  enter_box(run);
  for (int i = 0; i < settings->tmpfs_count; i++)
    if (!is_empty(settings->tmpfs[i].target)) give_up("files that its imports have written");
  leave_box(run);
}

/*
 * While the template stands still and nobody else is there. The app is all runs' own. Whoever has something else of a run open, or in
 * its memory, would see what the worker writes to that folder for another, or keep a file system for each of its runs, of which
 * the kernel counts a part only. The worker still reads the old outputs, but not through the box's mount.
 */
void renew_places(const struct settings *settings, struct run *run, const struct request *request) {
  enter_box(run);
  for (int i = request->bind_count - 1; i >= 0; i--) {
    const char *target = request->binds[i].target;
    if (umount2(target, i > 0 ? 0 : MNT_DETACH) < 0) die("what stays keeps %s of its run", target);
  }
  for (int i = 0; i < settings->tmpfs_count; i++) {
    const char *target = settings->tmpfs[i].target;
    if (renewed && umount2(target, 0) < 0) die("what stays keeps %s of its run", target);
    if (mount("tmpfs", target, "tmpfs", MS_NOSUID | MS_NODEV, settings->tmpfs[i].options) < 0) die("tmpfs %s", target);
  }
  renewed = true;
  run->outputs = open_apart(settings->outputs);
  if (run->outputs < 0) die("%s", settings->outputs);
  leave_box(run);
}

/* The id in the box. */
static int id_inside(pid_t process) {
  char path[64], line[256];
  int id = 0;
  snprintf(path, sizeof path, "/proc/%d/status", process);
  FILE *status = fopen(path, "re");
  if (!status) die("%s", path);
  while (fgets(line, sizeof line, status))
    if (!strncmp(line, "NSpid:", 6)) id = atoi(strrchr(line, '\t') + 1);
  fclose(status);
  return id;
}

/* The kernel adds up there how long its children took, and how much memory. What can be seen of the box through it, nobody misses. */
void hide_process(const struct run *run, pid_t process, int id) {
  char path[32];
  if (id_inside(process) != id) give_up("a process where none is expected");
  snprintf(path, sizeof path, "/proc/%d", id);
  enter_box(run);
  if (mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, "size=4k,nr_inodes=2,mode=555") < 0) die("%s", path);
  leave_box(run);
}

/* The next process gets the id behind `last`, the same in each run. Only who is in that namespace can say so, and only its children can be in it. */
void forget_process_ids(pid_t init, int last) {
  char path[64], number[16];
  int status;
  snprintf(path, sizeof path, "/proc/%d/ns/pid", init);
  snprintf(number, sizeof number, "%d", last);
  pid_t helper = fork();
  if (helper < 0) die("fork");
  if (helper == 0) {
    hide_words();
    int namespace = open(path, O_RDONLY | O_CLOEXEC);
    if (namespace < 0 || setns(namespace, CLONE_NEWPID) < 0) _exit(1);
    pid_t inside = fork();
    if (inside == 0) _exit(write_file("/proc/sys/kernel/ns_last_pid", number) < 0);
    _exit(inside < 0 || waitpid(inside, &status, 0) != inside || status != 0);
  }
  if (waitpid(helper, &status, 0) != helper || status != 0) give_up("process ids that cannot be made anew");
}
