/* The socket to the worker. To us: frames (a run) and single letters (orders). From us: lines of text. */
#include "launcher.h"
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAX_FRAME = 8 << 20 };

/* Ends this slot. The worker shows the text to a person. */
_Noreturn void die(const char *format, ...) {
  int error = errno;
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
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

/*
 * Waits for the next run. A frame is 'R', then little-endian 32-bit numbers: length of the rest after the
 * numbers, time-out, grace, count of binds, length of the arguments, count of the command's words; then
 * the binds' sources and targets, the arguments, the command, as strings ended by NUL.
 */
struct request *receive_request(void) {
  static struct request request;
  static char *frame;
  uint32_t head[6];
  char letter;
  do read_exactly(&letter, 1); /* orders for a run that has ended meanwhile mean nothing any more */
  while (letter != 'R');
  read_exactly(head, sizeof head);
  errno = 0;
  if (head[0] > MAX_FRAME || head[3] > MAX_BINDS || head[5] < 1 || head[5] > head[0]) die("malformed request");
  free(frame);
  free(request.command);
  frame = malloc(head[0] + 1);
  request.command = calloc(head[5] + 1, sizeof *request.command);
  if (!frame || !request.command) die("out of memory");
  read_exactly(frame, head[0]);

  char *cursor = frame, *end = frame + head[0];
  request.timeout_ms = head[1];
  request.grace_ms = head[2];
  request.bind_count = head[3];
  for (int i = 0; i < request.bind_count; i++) {
    request.binds[i].source = next_string(&cursor, end);
    request.binds[i].target = next_string(&cursor, end);
    request.binds[i].devices = false;
  }
  if (head[4] > (size_t)(end - cursor)) die("malformed request");
  request.args = cursor;
  request.args_length = head[4];
  cursor += head[4];
  for (uint32_t i = 0; i < head[5]; i++) request.command[i] = next_string(&cursor, end);
  return &request;
}
