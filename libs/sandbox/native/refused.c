/*
 * Connections inside the box to a port on which nothing listens. The kernel refuses them, and their program rarely says more than
 * that. So a raw socket in the run's namespace, which the box can neither see nor make, gets a copy of the kernel's replies.
 *
 * Nothing here has to work: where there may be no such socket, or it is full, refusals are not told of.
 */
#include "launcher.h"
#include <arpa/inet.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A box may cause replies faster than anybody reads them; the kernel drops what does not fit. */
enum { BUFFER_BYTES = 16 << 10, REPLIES_AT_ONCE = 64, LONGEST_REPLY = 80 };

/* Of a TCP header. RST and ACK with the sequence number 0 are the reply to a connection's first packet, and to nothing else. */
enum { SEQUENCE = 4, FLAGS = 13, RST_ACK = 0x14 };

void watch_refused(struct refused *refused) {
  *refused = (struct refused){.socket = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_TCP)};
  if (refused->socket < 0) return;
  struct sock_filter replies[] = {
      BPF_STMT(BPF_LDX | BPF_B | BPF_MSH, 0), /* the length of the IP header */
      BPF_STMT(BPF_LD | BPF_B | BPF_IND, FLAGS),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, RST_ACK, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_IND, SEQUENCE),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, LONGEST_REPLY),
      BPF_STMT(BPF_RET | BPF_K, 0),
  };
  struct sock_fprog filter = {sizeof replies / sizeof *replies, replies};
  int most = BUFFER_BYTES;
  if (setsockopt(refused->socket, SOL_SOCKET, SO_RCVBUF, &most, sizeof most) < 0 ||
      setsockopt(refused->socket, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) < 0)
    shut(&refused->socket);
}

static void count(struct refused *refused, uint16_t port) {
  int i = 0;
  while (i < refused->count && refused->ports[i].port != port) i++;
  if (i == MAX_REFUSED) return;
  if (i == refused->count) refused->ports[refused->count++].port = port;
  refused->ports[i].attempts++;
}

void read_refused(struct refused *refused) {
  uint8_t reply[LONGEST_REPLY];
  for (int i = 0; refused->socket >= 0 && i < REPLIES_AT_ONCE; i++) {
    ssize_t length = recv(refused->socket, reply, sizeof reply, MSG_DONTWAIT);
    if (length <= 0) return;
    int header = (reply[0] & 15) * 4;
    if (header + 2 <= length) count(refused, reply[header] << 8 | reply[header + 1]);
  }
}

const char *tell_refused(const struct refused *refused) {
  static char text[MAX_REFUSED * sizeof "65535:4294967295,"];
  size_t length = 0;
  if (refused->count == 0) return "-";
  for (int i = 0; i < refused->count; i++)
    length += snprintf(text + length, sizeof text - length, "%s%u:%u", i ? "," : "", refused->ports[i].port,
                       refused->ports[i].attempts);
  return text;
}
