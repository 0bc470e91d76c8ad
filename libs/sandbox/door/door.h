/*
 *   door.c      the wait, and what is the same for every program: directory, arguments, environment
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
