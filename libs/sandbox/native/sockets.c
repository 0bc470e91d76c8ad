/*
 * Memory of sockets that no cgroup counts, or not enough of. Whoever closes a connection that nobody has accepted leaves it behind
 * with all that was sent; a datagram may wait for its end without end; and tens of thousands of sockets make much of the little that
 * each has uncounted. So we look at how many there are in the network of the box.
 */
#include "launcher.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of all kinds, 2 KiB each; of UDP, 64 KiB each; connections that wait to be accepted, 64 KiB each; and from how many on we count those. */
enum { MOST_SOCKETS = 20000, MOST_DATAGRAM_SOCKETS = 800, MOST_UNACCEPTED = 1000, FEW_SOCKETS = 500 };

static const char *read_text(int fd) {
  static char text[8192];
  ssize_t length = fd < 0 ? -1 : pread(fd, text, sizeof text - 1, 0);
  text[length > 0 ? length : 0] = 0;
  return text;
}

/* Of the network that we are in, which is the box's. */
static const char *read_file(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  const char *text = read_text(fd);
  shut(&fd);
  return text;
}

static long number_after(const char *text, const char *words) {
  const char *found = strstr(text, words);
  return found ? atol(found + strlen(words)) : 0;
}

/*
 * Version 1 of cgroups has a limit for the buffers of sockets, but gives every socket its first ones in spite of it. Tens
 * of thousands of sockets make much of that.
 */
static bool buffers_hold_too_much(const struct settings *settings) {
  return settings->socket_usage >= 0 && strtoull(read_text(settings->socket_usage), NULL, 10) > settings->socket_most;
}

/* Source: proc_net_tcp.rst in the kernel's documentation. Those that listen come first, and say how many wait. */
static long count_unaccepted(const char *path) {
  char line[256];
  long count = 0;
  unsigned state, waiting;
  FILE *sockets = fopen(path, "re");
  if (!sockets) return 0;
  if (fgets(line, sizeof line, sockets)) /* what the columns are */
    while (fgets(line, sizeof line, sockets) && sscanf(line, " %*d: %*s %*s %x %*x:%x", &state, &waiting) == 2 && state == 0x0a)
      count += waiting;
  fclose(sockets);
  return count;
}

bool sockets_hold_too_much(const struct settings *settings) {
  if (buffers_hold_too_much(settings)) return true;
  const char *usage = read_file("/proc/net/sockstat");
  long all = number_after(usage, "sockets: used "), datagrams = number_after(usage, "UDP: inuse ");
  if (all <= FEW_SOCKETS) return false;
  datagrams += number_after(read_file("/proc/net/sockstat6"), "UDP6: inuse ");
  return all > MOST_SOCKETS || datagrams > MOST_DATAGRAM_SOCKETS ||
         count_unaccepted("/proc/net/tcp") + count_unaccepted("/proc/net/tcp6") > MOST_UNACCEPTED;
}
