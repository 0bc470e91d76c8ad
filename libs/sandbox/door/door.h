/*
 *   door.c      the wait
 *   meet.c      the connection to the launcher
 *   run.c       what is the same for every program: directory, arguments, environment
 *   template.c  what is forked for each run
 *   process.c   the process that it is in: memory, clocks, its end
 *   python.c    the name of its script, in Python's configuration
 *   node.c      when it was started and with what, in Node's
 */
#ifndef DOOR_H
#define DOOR_H

#define _GNU_SOURCE
#include <linux/prctl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

enum kind { OTHER, PYTHON, NODE };

/* meet.c */
int connect_to_launcher(void);
void read_exactly(int door, void *into, size_t length);
void receive_pipes(int door, int pipes[2]);
void take_pipes(int door); /* as its own standard output and error */

/* run.c */
/* `since`: when it began to wait, by the monotonic clock. */
void become_run(int door, enum kind kind, int64_t since);

/* template.c */
bool is_template(void);
void await_forks(void);

/* process.c */
extern struct prctl_mm_map memory_map; /* where the heap begins, among others */
void read_memory_map(void);
_Noreturn void give_up(const char *what);
int64_t now_ns(clockid_t clock);

/* python.c */
void find_names(const char *name);
void rename_program(const char *name);

/* node.c */
void find_start(void);
void forget_time(int64_t waited);
void find_command_lines(const char *script);
void replace_command_lines(const char *words, size_t length);

#endif
