/*
 * The launcher keeps one place ("slot") in which boxes run, one after another.
 *
 * It is started once, does everything that is the same for each run (cgroups, user namespace, the read-only
 * part of the file system), and then for each run makes fresh network, IPC and mount namespaces, forks,
 * and executes bubblewrap in the child. Forking from this small process costs a tenth of what it costs
 * from a Node process with a grown heap.
 *
 *   main.c      the settings and the life of a slot
 *   confine.c   who we are: descriptors, cgroups, user namespace, limits, privileges
 *   mounts.c    what a box sees: the three mount namespaces
 *   channel.c   frames from and events to the worker
 *   run.c       one run: its preparation, its start, its supervision, its end
 */
#ifndef LAUNCHER_H
#define LAUNCHER_H

#define _GNU_SOURCE
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/* Descriptors of a fixed number. Node passes the first two; bubblewrap finds the others in the child. */
enum { CONTROL_FD = 3, SECCOMP_FD = 4, ARGS_FD = 6, STATUS_FD = 7, LAST_FIXED_FD = STATUS_FD };

enum { MAX_BINDS = 32, MAX_TMPFS = 8, MAX_GROUPS = 4 };

struct bind {
  const char *source; /* a path of the host */
  const char *target; /* a path inside the box, which must exist in the skeleton */
  bool devices;       /* device nodes work through it; otherwise read-only and nodev */
};

struct tmpfs {
  const char *target;
  const char *options; /* size=, nr_inodes=, mode= */
};

struct settings {
  pid_t worker;           /* we die with it */
  uid_t uid;              /* of the box, on the host; only used when `drop` */
  bool drop;              /* we are root and become `uid` for each run */
  const char *bubblewrap; /* its path, inside the skeleton */
  const char *skeleton;   /* a directory prepared by the worker: box/, proc/, tmp/ and links to box/usr */
  const char *outputs;    /* the tmpfs whose files the worker reads after a run */
  const char *groups[MAX_GROUPS];
  const char *oom_events_path; /* a cgroup file with a line "oom_kill N", or NULL */
  int oom_events;              /* the same, opened while we could still see it; -1 without */
  struct bind binds[MAX_BINDS];
  struct tmpfs tmpfs[MAX_TMPFS];
  rlim_t open_files, processes, heap; /* RLIM_INFINITY: not limited this way */
  int group_count, bind_count, tmpfs_count;
};

/* What the worker asks for, a view into the received frame. */
struct request {
  uint32_t timeout_ms, grace_ms;
  struct bind binds[MAX_BINDS];
  int bind_count;
  const char *args; /* bubblewrap's options, each ended by NUL */
  size_t args_length;
  char **command; /* ended by NULL */
};

/* Descriptors of the run that is being prepared or supervised; -1 when closed. */
struct run {
  int stdout_read, stdout_write, stderr_read, stderr_write, outputs, mounts;
};

/* channel.c */
_Noreturn void die(const char *format, ...);
void tell(const char *format, ...);
struct request *receive_request(void);
int receive_order(void); /* 'T' terminate, 'K' kill, 0 nothing yet; does not return when the worker is gone */

/* confine.c */
void close_unexpected_descriptors(void);
void die_with(pid_t parent);
void join_groups(const struct settings *settings);
void enter_user_namespace(const struct settings *settings);
pid_t become_process_one(void);
void bring_loopback_up(void);
int apply_limits(const struct settings *settings);
int drop_privileges(const struct settings *settings);

/* mounts.c */
void build_stage(const struct settings *settings);
void enter_run_namespaces(const struct settings *settings, struct run *run);
const char *bind_request(const struct request *request, const struct run *run); /* NULL or what went wrong */

/* run.c */
void prepare_run(const struct settings *settings, struct run *run);
void perform_run(const struct settings *settings, struct run *run, const struct request *request);

#endif
