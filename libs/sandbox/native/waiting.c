/*
 * An interpreter that was started before there is a run for it. It has its box, with the filter of system calls, the limits and
 * the user of any other, and waits at a socket ("the door") for what only its run has: directories, arguments, environment.
 * door/door.c is its side of it.
 *
 * Nothing but our own code has run in such a box. So the place can be used for something else when it is not wanted any more.
 */
#include "launcher.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_MS = 10000, LET_IN_MS = 2000 };

/* See `struct head` in door/door.c. */
struct head {
  uint32_t arguments, environment, readable;
};

static const char DOOR[] = "\0door";

/* In the name space of the run's network, where only the box can reach it; closed before the run's own code begins. */
int listen_at_door(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  socklen_t length = offsetof(struct sockaddr_un, sun_path) + sizeof DOOR - 1;
  memcpy(address.sun_path, DOOR, sizeof DOOR - 1);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || bind(fd, (struct sockaddr *)&address, length) < 0 || listen(fd, 1) < 0) die("the door");
  return fd;
}

int accept_at_door(int listener, pid_t *process) {
  struct ucred peer;
  socklen_t length = sizeof peer;
  int door = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  if (door < 0 || getsockopt(door, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0 || (*process && peer.pid != *process)) {
    shut(&door);
    return -1;
  }
  *process = peer.pid;
  return door;
}

bool send_pipes(int door, const struct run *run) {
  char letter = 'p';
  int pipes[2] = {run->stdout_write, run->stderr_write};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof pipes)];
  } control = {.header = {.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof pipes)}};
  struct iovec part = {&letter, 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.space};
  memcpy(CMSG_DATA(&control.header), pipes, sizeof pipes);
  return sendmsg(door, &message, MSG_NOSIGNAL) == 1;
}

/* What has been forked for the run is there. It gets its pipes, and alone has them then. */
bool meet_forked(struct run *run, pid_t child) {
  run->waiting.door = accept_at_door(run->waiting.listener, &child);
  bool met = run->waiting.door >= 0 && send_pipes(run->waiting.door, run);
  shut(&run->waiting.listener), shut(&run->stdout_write), shut(&run->stderr_write);
  return met;
}

void stop_waiting(struct run *run) {
  struct waiting *waiting = &run->waiting;
  if (waiting->child.pid) {
    kill(-1, SIGKILL); /* all that we can see, which is all that waits */
    while (wait(NULL) > 0 || errno == EINTR)
      ;
  }
  shut(&waiting->listener), shut(&waiting->door), shut(&waiting->ended), shut(&waiting->child.status);
  waiting->child.pid = 0;
}

void start_waiting(const struct settings *settings, struct run *run, const struct request *request) {
  struct waiting *waiting = &run->waiting;
  stop_waiting(run);
  waiting->listener = listen_at_door();
  waiting->child = start_command(settings, run, request);
  waiting->ended = open_pidfd(waiting->child.pid);
  if (waiting->ended < 0) die("pidfd_open");
}

/* The interpreter has connected; what it says then is that it is ready. */
static void open_door(struct waiting *waiting) {
  char letter;
  waiting->door = accept4(waiting->listener, NULL, NULL, SOCK_CLOEXEC);
  if (waiting->door < 0) die("accept");
  if (read(waiting->door, &letter, 1) != 1) shut(&waiting->door);
  shut(&waiting->listener);
}

/*
 * Until the worker says something. An interpreter that ends meanwhile is forgotten, and the worker hears of both that and of one
 * that is ready.
 */
void wait_for_worker(struct run *run) {
  struct waiting *waiting = &run->waiting;
  while (waiting->child.pid) {
    struct pollfd watched[] = {{CONTROL_FD, POLLIN, 0}, {waiting->ended, POLLIN, 0}, {waiting->listener, POLLIN, 0}};
    if (poll(watched, 3, -1) < 0 && errno != EINTR) die("poll");
    if (watched[0].revents) return;
    if (watched[2].revents) {
      open_door(waiting);
      if (waiting->door >= 0) tell("warm");
    }
    if (watched[1].revents) {
      stop_waiting(run);
      tell("cooled");
    }
  }
}

/* Orders for the run that are given meanwhile stay where they are until the run is supervised. */
static bool wait_for_interpreter(struct waiting *waiting) {
  while (waiting->child.pid && waiting->door < 0) {
    struct pollfd watched[] = {{CONTROL_FD, 0, 0}, {waiting->ended, POLLIN, 0}, {waiting->listener, POLLIN, 0}};
    int found = poll(watched, 3, PATIENCE_MS);
    if (found < 0 && errno == EINTR) continue;
    if (found < 0) die("poll");
    if (watched[0].revents) exit(0); /* the worker is gone */
    if (watched[2].revents) open_door(waiting);
    if (found == 0 || watched[1].revents || (watched[2].revents && waiting->door < 0)) return false;
  }
  return waiting->child.pid != 0;
}

/* Takes what waits for a run, or, if that has failed, away. */
bool take_waiting(struct run *run, struct report *report) {
  struct waiting *waiting = &run->waiting;
  char path[64];
  if (waiting->child.pid && wait_for_interpreter(waiting)) {
    read_report(report, waiting->child.status);
    snprintf(path, sizeof path, "/proc/%d/ns/mnt", report->init);
    run->inside = report->init ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    shut(&waiting->ended);
    if (run->inside >= 0) return true;
    *report = (struct report){.exit_code = -1};
  }
  stop_waiting(run);
  return false;
}

static void put(char **at, const char *text) {
  size_t length = strlen(text) + 1;
  memcpy(*at, text, length);
  *at += length;
}

/* What bubblewrap would have made of its options: each --setenv in turn, and the working directory last. */
static void put_environment(char **at, const struct request *request) {
  const char *word = request->args, *end = word + request->args_length;
  bool has_directory = false;
  while (word < end) {
    const char *next = word + strlen(word) + 1;
    if (!strcmp(word, "--setenv") && next < end) {
      const char *value = next + strlen(next) + 1;
      bool directory = !strcmp(next, "PWD");
      has_directory |= directory;
      put(at, next);
      (*at)[-1] = '=';
      put(at, directory ? "/app" : value);
      next = value + strlen(value) + 1;
    }
    word = next;
  }
  if (!has_directory) put(at, "PWD=/app");
}

/* All of it, to whoever reads it soon. */
static bool send_soon(int door, const char *next, const char *end) {
  struct pollfd watched = {door, POLLOUT, 0};
  for (int64_t until = now_ms() + LET_IN_MS; next < end;) {
    ssize_t length = send(door, next, end - next, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (length > 0) next += length;
    if (length > 0 || (length < 0 && errno == EINTR)) continue;
    int64_t left = until - now_ms();
    if (length == 0 || errno != EAGAIN || left <= 0 || poll(&watched, 1, left) < 0) return false;
  }
  return true;
}

/* Gives the interpreter what is its run's; from then on it is the program. */
bool let_in(int door, const struct request *request) {
  struct head head;
  size_t room = sizeof head + request->args_length + 64;
  for (char **word = request->command; *word; word++) room += strlen(*word) + 1;
  for (int i = 0; i < request->bind_count; i++) room += strlen(request->binds[i].target) + 1;
  char *message = malloc(room), *at = message + sizeof head, *part = at;
  if (!message) die("out of memory");
  for (char **word = request->command; *word; word++) put(&at, *word);
  head.arguments = at - part, part = at;
  put_environment(&at, request);
  head.environment = at - part, part = at;
  for (int i = 0; i < request->bind_count; i++) put(&at, request->binds[i].target);
  head.readable = at - part;
  memcpy(message, &head, sizeof head);
  bool sent = send_soon(door, message, at);
  free(message);
  return sent;
}

/* The interpreter closes the door behind itself, or names the directory that it cannot read. */
const char *complaint_at(int door, const struct request *request) {
  static char text[600];
  uint32_t index;
  if (recv(door, &index, sizeof index, MSG_DONTWAIT) != sizeof index || index >= (uint32_t)request->bind_count) return NULL;
  snprintf(text, sizeof text, "%.512s is not readable for other users (chmod -R a+rX)", request->binds[index].target);
  return text;
}
