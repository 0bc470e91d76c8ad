/*
 * How many descriptors a user may watch with epoll, the kernel counts for the user, and Node ends where it cannot watch one
 * more. Where a box has the worker's own user, the worker would end with it. Descriptors may be few: closing one does not end
 * that it is watched, and an epoll may lie in a message. So every call that watches one more is counted: a filter of system
 * calls asks a process of ours about it, the warden, which sees to it that there are not too many in the life of a box.
 */
#include "launcher.h"
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SECCOMP_USER_NOTIF_FLAG_CONTINUE
#define SECCOMP_USER_NOTIF_FLAG_CONTINUE 1
#endif

#define DATA(field) offsetof(struct seccomp_data, field)

struct warden open_warden(const struct settings *settings) {
  int ends[2] = {-1, -1};
  if (settings->watches && socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends) < 0) die("socketpair");
  return (struct warden){.child = ends[0], .own = ends[1]};
}

static int pass(int socket, int *fd, bool sends) {
  char byte = 0;
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
  } control = {.header = {.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int))}};
  struct iovec part = {&byte, 1};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.space};
  if (sends) {
    memcpy(CMSG_DATA(&control.header), fd, sizeof *fd);
    return sendmsg(socket, &message, 0) == 1 ? 0 : -1;
  }
  if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1 || !CMSG_FIRSTHDR(&message)) return -1;
  memcpy(fd, CMSG_DATA(&control.header), sizeof *fd);
  return 0;
}

/* Whatever other architectures have under this number, the box's own filter refuses. */
int obey_warden(const struct warden *warden) {
  if (warden->child < 0) return 0;
  struct sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, DATA(nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_epoll_ctl, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, DATA(args[1])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, EPOLL_CTL_ADD, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof steps / sizeof *steps, steps};
  int listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
  if (listener < 0 || pass(warden->child, &listener, true) < 0) return -1;
  return close(listener);
}

/* Until nobody is left who could ask. */
static void keep_watch(int listener, uint64_t left) {
  struct seccomp_notif call;
  struct pollfd watched = {listener, POLLIN, 0};
  while (poll(&watched, 1, -1) >= 0 || errno == EINTR) {
    if (watched.revents & (POLLHUP | POLLERR)) return;
    if (!(watched.revents & POLLIN)) continue;
    memset(&call, 0, sizeof call);
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) < 0) continue; /* it was killed meanwhile */
    struct seccomp_notif_resp verdict = {.id = call.id, .error = -ENOSPC};
    if (left > 0) {
      left--;
      verdict = (struct seccomp_notif_resp){.id = call.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    }
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &verdict);
  }
}

/* It ends with everything else of the run. Where it is killed, what would be watched is refused. */
pid_t start_warden(const struct settings *settings, struct warden *warden) {
  if (warden->own < 0) return 0;
  pid_t self = getpid(), pid = fork();
  if (pid < 0) die("fork");
  if (pid == 0) {
    int listener;
    die_with(self);
    if (dup2(warden->own, CONTROL_FD) < 0 || syscall(SYS_close_range, CONTROL_FD + 1u, ~0u, 0u) < 0) _exit(1);
    if (pass(CONTROL_FD, &listener, false) == 0) keep_watch(listener, settings->watches);
    _exit(0);
  }
  shut(&warden->child), shut(&warden->own);
  return pid;
}
