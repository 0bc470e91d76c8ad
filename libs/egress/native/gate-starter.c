/*
 * Starts the gate's process with as few rights as it can do with, and stays between it and the worker.
 * Usage: gate-starter USER PROGRAM ARGUMENT...
 *
 * USER is the id that the gate will run as, 0 if it stays who we are. The program is executed as ourselves, for its files
 * may lie where only we can read; it must become that user before it does anything else. We become it at once.
 *
 * Descriptor 3 is Node's channel to the worker. Towards the gate everything passes, sockets included. Towards the worker
 * nothing passes but Node's words that a socket has arrived, once for each: whoever takes over the gate cannot reach the
 * worker's end of the channel, where Node would read lines of any length. Descriptor 4 is the gate's alone.
 *
 * SIGUSR2 ends the gate, whatever it is busy with: closing the channel would not do, since Node waits for word of a socket
 * that it has sent before it closes.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

enum { CHANNEL_FD = 3, REPORTS_FD = 4, BUFFER_BYTES = 65536, MOST_FDS = 8, GRACE_MS = 2000, LAST_CAPABILITY = 63 };
/* From linux/capability.h: to become somebody else, and to read the program's files wherever they lie until then. */
enum { MAY_READ_ALL = 2, MAY_SET_GID = 6, MAY_SET_UID = 7 };

static const char ARRIVED[] = "{\"cmd\":\"NODE_HANDLE_ACK\"}\n";
static const char LOST[] = "{\"cmd\":\"NODE_HANDLE_NACK\"}\n";

static _Noreturn void die(const char *what) {
  fprintf(stderr, "the gate cannot be started: %s: %s\n", what, strerror(errno));
  _exit(125);
}

static void confine(void) {
  if (syscall(SYS_close_range, REPORTS_FD + 1u, ~0u, 0u) < 0) die("close_range (Linux 5.9 or newer is needed)");
  /*
   * Signals of a terminal and of a service manager are for the worker, which drains first. Not by a session of our own: the
   * kernel shares processors between sessions, and a request would wait for the gate's turn.
   */
  setpgid(0, 0);
  int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC);
  if (terminal >= 0) {
    if (ioctl(terminal, TIOCNOTTY) < 0) die("leaving the terminal");
    close(terminal);
  }
  signal(SIGTERM, SIG_IGN);
  signal(SIGINT, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) die("no_new_privs");
  if (setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}) < 0) die("core dumps");
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  for (int capability = 0; capability <= LAST_CAPABILITY; capability++)
    if (capability != MAY_READ_ALL && capability != MAY_SET_GID && capability != MAY_SET_UID)
      prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  /* Under pressure the kernel should take the gate before the worker: it is started again. */
  int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (score >= 0) {
    if (write(score, "300", 3) < 0) errno = 0;
    close(score);
  }
}

static void become(uid_t user) {
  if (user != 0 && (setgroups(0, NULL) < 0 || setresgid(user, user, user) < 0 || setresuid(user, user, user) < 0))
    die("becoming another user");
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0) die("prctl");
}

static pid_t start(char **command, int channel) {
  pid_t parent = getpid(), child = fork();
  if (child < 0) die("fork");
  if (child > 0) return child;
  /* Holds until the gate becomes another user; from then on it ends when its channel does. */
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0) die("prctl");
  if (getppid() != parent) _exit(0);
  if (dup2(channel, CHANNEL_FD) < 0) die("dup2");
  execv(command[0], command);
  die(command[0]);
}

/* Sends all bytes, the descriptors with the first of them. */
static bool send_all(int to, const char *bytes, size_t length, const void *control, size_t control_length) {
  while (length > 0) {
    struct iovec part = {(void *)bytes, length};
    struct msghdr header = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = (void *)control, .msg_controllen = control_length};
    ssize_t sent = sendmsg(to, &header, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes += sent;
    length -= sent;
    control = NULL;
    control_length = 0;
  }
  return true;
}

/* Passes on what the worker says. Returns false when it is gone. */
static bool to_gate(int gate, long *owed) {
  static char bytes[BUFFER_BYTES];
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(MOST_FDS * sizeof(int))];
  } control;
  struct iovec part = {bytes, sizeof bytes};
  struct msghdr header = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
  ssize_t got = recvmsg(CHANNEL_FD, &header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
  if (got <= 0) return false;
  bool sent = send_all(gate, bytes, got, control.space, header.msg_controllen);
  for (struct cmsghdr *one = CMSG_FIRSTHDR(&header); one; one = CMSG_NXTHDR(&header, one)) {
    if (one->cmsg_level != SOL_SOCKET || one->cmsg_type != SCM_RIGHTS) continue;
    int count = (one->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (int i = 0; i < count; i++, ++*owed) close(((int *)CMSG_DATA(one))[i]);
  }
  return sent;
}

/* Passes on the gate's words that a socket has arrived. Returns false when it is gone, or says anything else. */
static bool to_worker(int gate, long *owed, bool *broken) {
  static char line[sizeof LOST];
  static size_t length;
  char bytes[4096];
  /* Without room for descriptors: those that come along are closed by the kernel. */
  ssize_t got = recv(gate, bytes, sizeof bytes, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
  for (ssize_t i = 0; i < got; i++) {
    if (length + 1 < sizeof line) line[length++] = bytes[i];
    else return !(*broken = true);
    if (bytes[i] != '\n') continue;
    line[length] = 0;
    length = 0;
    if ((strcmp(line, ARRIVED) && strcmp(line, LOST)) || --*owed < 0) return !(*broken = true);
    if (!send_all(CHANNEL_FD, line, strlen(line), NULL, 0)) return false;
  }
  return got > 0;
}

static int watch_for_the_end(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR2);
  int watch = sigprocmask(SIG_BLOCK, &signals, NULL) < 0 ? -1 : signalfd(-1, &signals, SFD_CLOEXEC);
  if (watch < 0) die("signalfd");
  return watch;
}

/* Until one of the two is gone, or it is to end. Returns whether the gate has broken the rules. */
static bool relay(int gate, int end) {
  long owed = 0;
  bool broken = false;
  for (bool going = true; going;) {
    struct pollfd sides[] = {{CHANNEL_FD, POLLIN, 0}, {gate, POLLIN, 0}, {end, POLLIN, 0}};
    if (poll(sides, 3, -1) < 0) {
      if (errno != EINTR) break;
      continue;
    }
    if (sides[2].revents) break;
    if (sides[1].revents) going = to_worker(gate, &owed, &broken);
    if (going && sides[0].revents) going = to_gate(gate, &owed);
  }
  return broken;
}

/* The gate ends when its channel does; one that does not is killed. */
static int await_end(pid_t child, int grace_ms) {
  int status;
  for (int waited = 0; waited < grace_ms; waited += 20) {
    if (waitpid(child, &status, WNOHANG) == child) return status;
    nanosleep(&(struct timespec){0, 20 * 1000 * 1000}, NULL);
  }
  kill(child, SIGKILL);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  return status;
}

int main(int count, char **words) {
  if (count < 3) {
    errno = EINVAL;
    die("USER and PROGRAM are missing");
  }
  uid_t user = strtoul(words[1], NULL, 10);
  int pair[2];
  confine();
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) die("socketpair");
  pid_t child = start(words + 2, pair[1]);
  close(pair[1]);
  close(REPORTS_FD);
  become(user);
  bool broken = relay(pair[0], watch_for_the_end());
  close(pair[0]);
  int status = await_end(child, broken ? 0 : GRACE_MS);
  close(CHANNEL_FD);
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  /* Ends by the same signal as the gate, so that the worker learns how it ended. */
  signal(WTERMSIG(status), SIG_DFL);
  kill(getpid(), WTERMSIG(status));
  return 128 + WTERMSIG(status);
}
