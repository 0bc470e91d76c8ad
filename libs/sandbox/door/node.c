/* What Node has noted about its own start and tells scripts, which its scripts cannot change. */
#include "door.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Node's account of when it was started, from which process.uptime() and performance.now() count: a number of its own, and the
 * first of a row of numbers that its scripts share with it. Microseconds since 1970, then nanoseconds of the monotonic clock.
 */
enum { MILESTONES = 8 };
static uint64_t *node_start;
static double *milestones;

/* A machine may have been started less than `most` ago. But addresses, read as such numbers, are no time at all. */
static bool is_recent(double value, double now, double most) { return value > 1e6 && value <= now && value > now - most; }

void find_start(void) {
  double now = now_ns(CLOCK_MONOTONIC), today = now_ns(CLOCK_REALTIME) / 1000.0, minute = 60e9;
  node_start = dlsym(RTLD_DEFAULT, "_ZN4node11per_process15node_start_timeE");
  errno = 0;
  if (!node_start || !is_recent(*node_start, now, minute)) give_up("Node's start cannot be found");
  double *end = (double *)sbrk(0) - MILESTONES;
  for (double *at = (double *)memory_map.start_brk; at < end; at++) {
    if (!is_recent(at[0], today, minute / 1000) || !is_recent(at[1], now, minute)) continue;
    if (!is_recent(at[2], now, now - at[1] + 1) || !is_recent(at[3], now, now - at[1] + 1)) continue;
    if (milestones) give_up("Node has more than one start");
    milestones = at;
  }
  if (!milestones) give_up("Node's milestones cannot be found");
}

/* As if the time that it has waited had not been. */
void forget_time(int64_t waited) {
  *node_start += waited;
  milestones[0] += waited / 1000;
  for (int i = 1; i < MILESTONES; i++)
    if (milestones[i] > 0) milestones[i] += waited;
}

/* As the C++ library of GCC has them in memory. Where Node is built with another one nothing is found, and Node is not kept. */
struct string {
  char *text;
  size_t length;
  union {
    char inside[16];
    size_t room;
  };
};
struct strings {
  struct string *first, *end, *room;
};

enum { MAX_COPIES = 8 };
static struct strings *lines[MAX_COPIES];
static int line_count;

/* The one in which Node's reports name the command: two words, "node" and the script. */
static bool is_command(const struct string *words, const char *script, const char *heap, const char *end) {
  const struct string *node = &words[0], *given = &words[1];
  return node->text == node->inside && node->length == 4 && !memcmp(node->text, "node", 5) && given->text >= heap &&
         given->length == strlen(script) && given->text + given->length < end && !strcmp(given->text, script);
}

void find_command_lines(const char *script) {
  char *heap = (char *)memory_map.start_brk, *end = sbrk(0);
  for (uintptr_t *at = (uintptr_t *)heap; at + 3 <= (uintptr_t *)end; at++) {
    struct strings *line = (struct strings *)at;
    if ((char *)line->first < heap || (char *)(line->first + 2) > end || line->end != line->first + 2) continue;
    if ((uintptr_t)line->first % 8 || line->room < line->end || !is_command(line->first, script, heap, end)) continue;
    if (line_count == MAX_COPIES) give_up("too many command lines");
    lines[line_count++] = line;
  }
  errno = 0;
  if (line_count == 0) give_up("Node's command line cannot be found");
}

void replace_command_lines(const char *words, size_t length) {
  size_t count = 0;
  for (const char *at = words; at < words + length; at += strlen(at) + 1) count++;
  for (int i = 0; i < line_count; i++) {
    struct string *all = calloc(count, sizeof *all), *next = all;
    for (const char *at = words; at < words + length; at += strlen(at) + 1, next++) {
      size_t size = strlen(at);
      next->length = size;
      next->text = size < sizeof next->inside ? next->inside : malloc(size + 1);
      if (next->text != next->inside) next->room = size;
      memcpy(next->text, at, size + 1);
    }
    *lines[i] = (struct strings){all, next, next};
  }
}
