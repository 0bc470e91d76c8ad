/*
 * The network of a box: a loopback, and for a box with hosts the sockets that listen on it. The worker gets them;
 * they lead from the box to the gate and nowhere else. Nobody but us may bind low ports in the run's namespace.
 *
 * The sockets go over Node's channel between processes: lines of JSON with a descriptor beside them, each of which
 * Node acknowledges with a line that says whether it could take the descriptor. As "native" ones they are held by the worker,
 * not read.
 */
#include "launcher.h"
#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 511 };

/*
 * What a connection keeps that nobody reads: no memory of a process, and of a cgroup's only where that counts sockets.
 * By itself it may grow to 32 MiB on each side, and a box may have a thousand. These belong to the namespace that we
 * are in, and nobody in the box may change them.
 */
static void bound_socket_buffers(unsigned most) {
  char receive[64], send[64];
  snprintf(receive, sizeof receive, "4096 %u %u", most / 2 < 131072 ? most / 2 : 131072, most);
  snprintf(send, sizeof send, "4096 16384 %u", most);
  const struct {
    const char *path, *value;
  } settings[] = {{"/proc/sys/net/ipv4/tcp_rmem", receive},
                  {"/proc/sys/net/ipv4/tcp_wmem", send}};
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    if (write_file(settings[i].path, settings[i].value) < 0) die("%s", settings[i].path);
}

/* Older kernels show this to nobody but the machine's own root. There only the count of all bounds how many wait (sockets.c). */
static void bound_backlogs(void) {
  static const char path[] = "/proc/sys/net/core/somaxconn";
  if (write_file(path, "511") < 0 && errno != ENOENT) die("%s", path);
}

void open_network(const struct settings *settings) {
  struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &request) < 0) die("loopback");
  close(fd);
  bound_socket_buffers(settings->socket_buffer);
  bound_backlogs();
}

/*
 * Connections that come before the worker accepts them wait in the backlog. Those of the run before may still be on their way out, where
 * the same process serves both; they do not keep the port, while whoever listens does.
 */
static int open_socket(int type, struct place place) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(place.port), .sin_addr.s_addr = place.address};
  int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0), reuse = type == SOCK_STREAM;
  if (fd < 0) return -1;
  if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse) == 0 &&
      bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && (type == SOCK_DGRAM || listen(fd, BACKLOG) == 0))
    return fd;
  int error = errno;
  close(fd);
  errno = error;
  return -1;
}

static int send_socket(int fd, const char *message) {
  char control[CMSG_SPACE(sizeof fd)] = {0};
  struct iovec text = {(void *)message, strlen(message)};
  struct msghdr header = {
      .msg_iov = &text, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  struct cmsghdr *rights = CMSG_FIRSTHDR(&header);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof fd);
  memcpy(CMSG_DATA(rights), &fd, sizeof fd);
  return sendmsg(CHANNEL_FD, &header, MSG_NOSIGNAL) == (ssize_t)text.iov_len ? 0 : -1;
}

/* The worker alone holds the socket afterwards. */
static const char *hand_over(int fd, uint16_t port, const char *message) {
  static char text[128];
  int sent = fd < 0 ? -1 : send_socket(fd, message), error = errno;
  if (fd >= 0) close(fd);
  if (sent == 0) return NULL;
  snprintf(text, sizeof text, "its port %u cannot be opened: %s", port, strerror(error));
  return text;
}

const char *open_egress(const struct request *request) {
  char message[160];
  const char *problem = NULL;
  if (request->port_count == 0) return NULL;
  worker_took_sockets(); /* what is said of earlier runs does not matter any more */
  for (int i = 0; i < request->port_count && !problem; i++) {
    struct place place = request->ports[i];
    struct in_addr address = {place.address};
    snprintf(message, sizeof message,
             "{\"cmd\":\"NODE_HANDLE\",\"type\":\"net.Native\",\"msg\":{\"run\":%u,\"address\":\"%s\",\"port\":%u}}\n",
             request->number, inet_ntoa(address), place.port);
    problem = hand_over(open_socket(SOCK_STREAM, place), place.port, message);
  }
  if (problem) return problem;
  snprintf(message, sizeof message,
           "{\"cmd\":\"NODE_HANDLE\",\"type\":\"dgram.Native\",\"msg\":{\"run\":%u,\"dns\":true}}\n",
           request->number);
  return hand_over(open_socket(SOCK_DGRAM, (struct place){htonl(INADDR_LOOPBACK), DNS_PORT}), DNS_PORT, message);
}

/* Reads all acknowledgements that have come so far. Does not return when the worker is gone. */
bool worker_took_sockets(void) {
  char replies[4096];
  ssize_t got;
  bool took = true;
  while ((got = recv(CHANNEL_FD, replies, sizeof replies - 1, MSG_DONTWAIT)) > 0) {
    replies[got] = 0;
    if (strstr(replies, "NODE_HANDLE_NACK")) took = false;
  }
  if (got == 0) exit(0);
  return took;
}
