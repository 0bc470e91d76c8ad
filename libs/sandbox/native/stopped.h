/* A process that stays, while it is stopped, see stopped.c. */
#ifndef STOPPED_H
#define STOPPED_H

#include "launcher.h"

enum { MAX_THREADS = 512 };

struct stopped {
  pid_t process, init;
  int thread_count; /* that stand still */
  struct {
    pid_t id;
    int signal; /* which it was about to get; 0: none */
    bool stands;
  } threads[MAX_THREADS];
  ino_t pipes[2];   /* its run's */
  int descriptors, most_threads; /* what it had after its first answer; 0: it has not answered */
  char score[16];   /* by which the kernel chooses whom it ends where memory is short, in a run */
  char *baseline;   /* what no run may change; NULL until it is known */
};

struct kept {
  struct standing standing;
  struct stopped stopped;
  bool wishes;         /* its answer is complete */
  long long counted_ms; /* of processor time, in runs before */
};

bool stop_threads(struct stopped *stopped);
bool release_threads(struct stopped *stopped);
const char *inspect_stopped(const struct settings *settings, struct stopped *stopped, const struct run *run); /* NULL, or what it has */
void note_beginning(struct stopped *stopped);
void offer_memory(const struct stopped *stopped); /* where memory is short, whoever has no run ends first */

#endif
