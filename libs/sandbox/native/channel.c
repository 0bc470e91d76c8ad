/* The socket to the worker. To us: frames (a run) and single letters (orders). From us: lines of text. */
#include "launcher.h"
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAX_FRAME = 8 << 20 };

/* One line without what a terminal obeys, whatever names and words of others are in it. */
static void make_plain(char *line) {
  for (; *line; line++)
    if ((unsigned char)*line < ' ' || *line == 0x7f) *line = '?';
}

/* Ends this slot. The worker shows the text to a person. */
_Noreturn void die(const char *format, ...) {
  int error = errno;
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  make_plain(line);
  fputs(line, stderr);
  if (error) fprintf(stderr, ": %s", strerror(error));
  fputc('\n', stderr);
  exit(125);
}

void tell(const char *format, ...) {
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line, sizeof line - 1, format, arguments);
  va_end(arguments);
  if (length < 0) exit(125);
  if (length > (int)sizeof line - 2) length = sizeof line - 2;
  make_plain(line);
  line[length++] = '\n';
  if (send(CONTROL_FD, line, length, MSG_NOSIGNAL) != length) exit(125);
}

static void read_exactly(void *into, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t got = recv(CONTROL_FD, (char *)into + done, length - done, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) exit(0); /* the worker is gone or has closed this slot */
    done += got;
  }
}

int receive_order(void) {
  char letter;
  ssize_t got = recv(CONTROL_FD, &letter, 1, MSG_DONTWAIT);
  if (got == 1) return letter;
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
  exit(0);
}

/* Takes the next string out of the frame; a frame that ends early is a bug of the worker's. */
static char *next_string(char **cursor, char *end) {
  char *start = *cursor, *nul = memchr(start, 0, end - start);
  errno = 0;
  if (!nul) die("malformed request");
  *cursor = nul + 1;
  return start;
}

static struct place place_of(char *text) {
  char *colon = strchr(text, ':');
  struct place place = {0};
  if (!colon) die("malformed request");
  *colon = 0;
  place.address = inet_addr(text);
  place.port = atoi(colon + 1);
  return place;
}

/* Waits for what the worker says next: an order, or what kind of request follows. */
int receive_letter(void) {
  char letter;
  read_exactly(&letter, 1);
  return letter;
}

/*
 * What follows the letter 'R' (a run), 'W' (a command that is to wait for its run), 'P' (one to be forked for each run) or 'S' (one that stays for several): little-endian 32-bit numbers, which are the
 * length of the rest after them, the run's number, time-out, grace, KiB and count of files that the app may grow to, count
 * of binds, count of ports, length of the arguments, count of the command's words, and whether what waits is what the command
 * would start; then the binds' sources and targets, the ports (`127.0.0.1:443`), the arguments and the command, as strings ended by NUL.
 */
struct request *receive_request(void) {
  static struct request request;
  static char *frame;
  uint32_t head[11];
  read_exactly(head, sizeof head);
  errno = 0;
  if (head[0] > MAX_FRAME || head[6] > MAX_BINDS || head[7] > MAX_PORTS || head[9] < 1 || head[9] > head[0])
    die("malformed request");
  free(frame);
  free(request.command);
  frame = malloc(head[0] + 1);
  request.command = calloc(head[9] + 1, sizeof *request.command);
  if (!frame || !request.command) die("out of memory");
  read_exactly(frame, head[0]);

  char *cursor = frame, *end = frame + head[0];
  request.becomes = head[10];
  request.number = head[1];
  request.timeout_ms = head[2];
  request.grace_ms = head[3];
  request.app_bytes = head[4] * 1024ull;
  request.app_files = head[5];
  request.bind_count = head[6];
  request.port_count = head[7];
  for (int i = 0; i < request.bind_count; i++) {
    request.binds[i].source = next_string(&cursor, end);
    request.binds[i].target = next_string(&cursor, end);
    request.binds[i].devices = false;
    request.binds[i].writable = i == 0 && request.app_bytes > 0;
  }
  for (int i = 0; i < request.port_count; i++) request.ports[i] = place_of(next_string(&cursor, end));
  if (head[8] > (size_t)(end - cursor)) die("malformed request");
  request.args = cursor;
  request.args_length = head[8];
  cursor += head[8];
  for (uint32_t i = 0; i < head[9]; i++) request.command[i] = next_string(&cursor, end);
  return &request;
}
