/* The connection to the launcher, at its door, and what comes through it. */
#include "door.h"
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* In the name space of sockets that goes with the box's network; native/waiting.c listens there. */
static const char DOOR[] = "\0door";

int connect_to_launcher(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path, DOOR, sizeof DOOR - 1);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || connect(fd, (struct sockaddr *)&address, offsetof(struct sockaddr_un, sun_path) + sizeof DOOR - 1) < 0)
    give_up("the door");
  return fd;
}

/* Without a run there is nothing to wait for any more: the launcher has ended, or wants the place back. */
void read_exactly(int door, void *into, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t got = read(door, (char *)into + done, length - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) _exit(125);
    done += got;
  }
}

/* The run's standard output and error, from the launcher. */
void receive_pipes(int door, int pipes[2]) {
  char letter;
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(2 * sizeof(int))];
  } control;
  struct iovec part = {&letter, 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.space};
  ssize_t length;
  while ((length = recvmsg(door, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
    ;
  if (length != 1 || !CMSG_FIRSTHDR(&message)) _exit(125);
  memcpy(pipes, CMSG_DATA(&control.header), 2 * sizeof(int));
}

void take_pipes(int door) {
  int pipes[2];
  receive_pipes(door, pipes);
  for (int i = 0; i < 2; i++)
    if (dup2(pipes[i], i + 1) < 0 || close(pipes[i]) < 0) _exit(125);
}
