/*
 * The launcher keeps one place ("slot") in which boxes run, one after another.
 *
 * It is started once, does everything that is the same for each run (cgroups, user namespace, the read-only
 * part of the file system), and then for each run makes fresh network, IPC and mount namespaces, forks,
 * and executes bubblewrap in the child. Forking from this small process costs a tenth of what it costs
 * from a Node process with a grown heap.
 *
 *   main.c      the settings and the life of a slot
 *   clock.c     the time, and descriptors that tell the end of a process
 *   confine.c   who we are: descriptors, cgroups, user namespace, limits, privileges
 *   mounts.c    what a box sees: the three mount namespaces
 *   channel.c   frames from and events to the worker
 *   network.c   the loopback, and the sockets through which a box with hosts gets out
 *   refused.c   the ports that a box tried in vain
 *   tree.c      an /app that is written to: its owner, its size, what is left in the end
 *   command.c   the child that becomes bubblewrap, and what it reports
 *   watches.c   how much a box may watch that runs as the worker's own user
 *   waiting.c   an interpreter that was started before its run
 *   standing.c  a box that serves several runs
 *   kept.c      a process that stays for them, and stopped.c: its wish, and what must be true of it while it is stopped
 *   template.c  an interpreter that is forked for each run of one version
 *   frozen.c    what must be true of it while it stands still
 *   traces.c    what a run could leave for the next one beside it, and its removal
 *   locks.c     what a box holds that no cgroup counts: locks
 *   sockets.c   and memory of sockets
 *   run.c       one run: its preparation, its supervision, its end
 */
#ifndef LAUNCHER_H
#define LAUNCHER_H

#define _GNU_SOURCE
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/* Descriptors of a fixed number. Node passes the first three; bubblewrap finds the others in the child. */
enum { CONTROL_FD = 3, SECCOMP_FD = 4, CHANNEL_FD = 5, ARGS_FD = 6, STATUS_FD = 7, HOLD_FD = 8, LAST_FIXED_FD = HOLD_FD };

enum { MAX_BINDS = 32, MAX_TMPFS = 8, MAX_GROUPS = 4, MAX_PORTS = 128, MAX_REFUSED = 20, DNS_PORT = 53 };

struct bind {
  const char *source; /* a path of the host */
  const char *target; /* a path inside the box, which must exist in the skeleton */
  bool devices;       /* device nodes work through it; otherwise read-only and nodev */
  bool writable;
};

struct tmpfs {
  const char *target;
  const char *options; /* size=, nr_inodes=, mode= */
};

struct settings {
  pid_t worker;           /* we die with it */
  uid_t uid;              /* of the box, on the host; only used when `drop` */
  bool drop;              /* we have other ids than our own, and become `uid` for each run */
  uid_t ids, id_count;    /* of an ordinary user: those that the system has given to it, of users and groups alike; */
  const char *map_users, *map_groups; /* and the system's programs that map them. NULL: we are root, or have none */
  const char *take_back;  /* do nothing but make a tree ours that a box of a worker that was killed has left */
  uint64_t watches;       /* of epoll that a box may make; 0: as many as its user may */
  const char *bubblewrap; /* its path, inside the skeleton */
  const char *skeleton;   /* a directory prepared by the worker: box/, proc/, tmp/ and links to box/usr */
  const char *outputs;    /* the tmpfs whose files the worker reads after a run */
  const char *groups[MAX_GROUPS];
  const char *oom_events_path; /* a cgroup file with a line "oom_kill N", or NULL */
  int oom_events;              /* the same, opened while we could still see it; -1 without */
  const char *memory_peak_path; /* a cgroup file with the most bytes that it has had, or NULL */
  int memory_peak;              /* the same, opened */
  const char *process_count_path; /* a cgroup file with the number of processes and threads, or NULL */
  int process_count;              /* the same, opened */
  const char *socket_usage_path; /* a cgroup file with the bytes that buffers of sockets hold, or NULL */
  int socket_usage;              /* the same, opened */
  uint64_t socket_most;          /* of these bytes */
  struct bind binds[MAX_BINDS];
  struct tmpfs tmpfs[MAX_TMPFS];
  rlim_t open_files, processes, heap; /* RLIM_INFINITY: not limited this way */
  unsigned socket_buffer;             /* bytes that either side of a TCP connection may hold */
  int group_count, bind_count, tmpfs_count;
};

/* Of the box's loopback network. */
struct place {
  in_addr_t address;
  uint16_t port;
};

/* What the worker asks for, a view into the received frame. */
struct request {
  uint32_t number; /* of the run, for what cannot be told apart otherwise */
  uint32_t timeout_ms, grace_ms;
  struct bind binds[MAX_BINDS]; /* the first one is the app */
  int bind_count;
  struct place ports[MAX_PORTS];
  int port_count;                /* 0: the box has no egress */
  uint64_t app_bytes, app_files; /* what a writable app may grow to; 0: it is read-only */
  const char *args; /* bubblewrap's options, each ended by NUL */
  size_t args_length;
  char **command; /* ended by NULL */
  bool becomes;   /* what waits is what this command would start */
};

/* What a run's end is the end of: bubblewrap, our child, or what was forked from a template. */
struct child {
  pid_t pid, bubblewrap;
  int status; /* what it tells of the run */
  int hold;   /* the command waits until we write here; -1: it need not */
  pid_t warden; /* 0: it has none */
  /* In a box that stays, what the command was forked from, and what that was forked from; 0: the command is bubblewrap's own. */
  pid_t template, first;
  struct kept *kept; /* the process that stays, where its wish is the end; NULL: its own end is */
};

/* An interpreter without a run; descriptors are -1 when closed. */
struct waiting {
  struct child child; /* pid 0: nothing waits */
  int ended;          /* readable when it has ended */
  int listener;       /* until it has connected; */
  int door;           /* then the connection */
};

/* Ports on which nothing listened, and how often the box tried them. */
struct refused {
  int socket; /* -1: nobody watches */
  int count;
  struct {
    uint16_t port;
    uint32_t attempts;
  } ports[MAX_REFUSED];
};

/* Descriptors of the run that is being prepared or supervised; -1 when closed. */
struct run {
  int stdout_read, stdout_write, stderr_read, stderr_write, outputs, mounts;
  int app;    /* the directory of a writable app */
  int inside; /* the mount namespace of a box that was made before its run */
  struct waiting waiting;
  struct refused refused;
};

/* What is known of a run. The first part is bubblewrap's own account, as it comes in through the status pipe. */
struct report {
  char text[1024];
  size_t length;
  pid_t init;    /* process 1 of the box, 0 while unknown */
  int exit_code; /* -1 while unknown */
  bool announced; /* the worker has been told that it has begun */
  bool timed_out, terminated, out_of_memory;
  int64_t began, ended; /* 0: the command was not let go */
  int64_t held_since, held_ms; /* 0: its clock is not held; how long it was */
  const char *overflow; /* what a writable app has too much of */
  const char *problem;  /* why there was no run */
};

/* What was used before a run, and by it. */
struct use {
  long oom_kills;
  long long cpu_ms, peak_bytes; /* -1: not known */
  long long had_bytes; /* when it began */
  bool knows_peak;
};

/* channel.c */
_Noreturn void die(const char *format, ...);
void tell(const char *format, ...);
int receive_letter(void);
struct request *receive_request(void);
int receive_order(void); /* 'G' go, 'T' terminate, 'K' kill, 0 nothing yet; does not return when the worker is gone */

/* confine.c */
int write_file(const char *path, const char *text);
void shut(int *fd); /* closes it, if it is open */
void mitigate_speculation(void);
void remember_words(char **words);
void hide_words(void); /* our command line names paths of the host: for a child that a box can see */
void close_unexpected_descriptors(void);
void die_with(pid_t parent);
void join_groups(const struct settings *settings);
void go_first(void);
void enter_user_namespace(const struct settings *settings);
bool has_given_ids(const struct settings *settings); /* we may do what files of the box's user forbid the worker */
pid_t become_process_one(void);
int apply_limits(const struct settings *settings, const struct request *request);
int drop_privileges(const struct settings *settings);

/* mounts.c */
void build_stage(const struct settings *settings);
void enter_run_namespaces(const struct settings *settings, struct run *run);
void enter_box(const struct run *run); /* one that was made before its run; `leave_box` goes back */
void leave_box(const struct run *run);
const char *bind_request(const struct request *request, struct run *run); /* NULL or what went wrong */
int open_apart(const char *path); /* -1: it cannot be opened */

/* network.c */
void open_network(const struct settings *settings); /* the loopback of a new namespace, and what its sockets may hold */
const char *open_egress(const struct request *request); /* NULL or what went wrong */
bool worker_took_sockets(void);

/* used.c */
struct use look_before(const struct settings *settings);
struct use used_since(const struct settings *settings, const struct use *before);
long long used_by_ms(const pid_t *processes, int count); /* with what children have taken that were waited for */

/* refused.c */
void watch_refused(struct refused *refused); /* in the namespace that we are in */
void read_refused(struct refused *refused);
const char *tell_refused(const struct refused *refused); /* as `port:attempts`, with commas between them, or `-` */

/* tree.c; what they return is NULL, or a word for what there was too much of */
const char *give_tree(int directory, const struct settings *settings);
const char *measure_tree(int directory, const struct request *request);
const char *take_tree_back(int directory, const struct request *request);
bool hand_over_tree(int directory); /* to us, whatever it holds; whether anything was not ours already */

/* command.c */
struct child start_command(const struct settings *settings, const struct run *run, const struct request *request);
void read_report(struct report *report, int status);

/* watches.c */
struct warden {
  int child, own; /* the ends of a socket; -1: none is needed */
};
struct warden open_warden(const struct settings *settings);
pid_t start_warden(const struct settings *settings, struct warden *warden); /* 0: none is needed */
int obey_warden(const struct warden *warden); /* in the child, before it executes anything */

/* waiting.c */
void start_waiting(const struct settings *settings, struct run *run, const struct request *request);
void stop_waiting(struct run *run);
void wait_for_worker(struct run *run);
bool take_waiting(struct run *run, struct report *report);
int listen_at_door(void);
int accept_at_door(int listener, pid_t *process); /* -1: nobody, or not the one expected; 0 there expects anybody, and is told who */
bool send_pipes(int door, const struct run *run);
bool meet_forked(struct run *run, pid_t child);   /* at the listening door; false: it is somebody else, or gone */
bool let_in(int door, const struct request *request);
const char *complaint_at(int door, const struct request *request); /* NULL: none */

/* locks.c */
bool holds_too_many_locks(void);

/* sockets.c */
bool sockets_hold_too_much(const struct settings *settings);

/* standing.c */
struct standing {
  struct child command;
  pid_t process; /* the interpreter that was started, which waits at the door */
  pid_t init;    /* process 1 of the box */
  int door, scrap; /* what it prints meanwhile */
};
struct standing start_standing(const struct settings *settings, struct run *run, const struct request *request, const char *failure);
_Noreturn void give_up_with(int scrap, const char *what);
bool sweep(const struct settings *settings, const pid_t *staying, int count, int tasks); /* until there are so many tasks */
struct request *await_run(void); /* ends this slot where anything of its box ends before */
void die_if_gone(void);          /* the same at this moment; the run that has not begun then begins in another slot */
void set_score(pid_t process, const char *score);

/* kept.c */
_Noreturn void serve_kept(const struct settings *settings, struct run *run, const struct request *request, pid_t outside);

/* stopped.c */
void die_if_going(const struct kept *kept); /* ends this slot where it has ended meanwhile, or is about to */
void resume_kept(struct kept *kept); /* for a run that the worker has been told of */
bool take_wish(struct run *run, struct kept *kept); /* false: it is somebody else's, or none */

/* template.c */
_Noreturn void serve_template(const struct settings *settings, struct run *run, const struct request *request, pid_t outside);

/* frozen.c */
/* What they are in the box, whose process 1 is bubblewrap. */
enum { FIRST_ID = 2, TEMPLATE_ID, RUN_ID };
struct frozen {
  pid_t first;     /* the interpreter that was started, which stands still for good since it forked the template */
  pid_t process;   /* the template, which stands still whenever a run exists */
  pid_t child;     /* what it has forked, which has not done anything yet */
  pid_t init;      /* process 1 of its box */
  char *baseline;  /* what no run may change about these; NULL until it is known */
  char score[16];  /* by which the kernel chooses whom it ends where memory is short, in a run */
  long long counted_ms; /* of processor time, before its next run */
};
void seize(struct frozen *frozen);
void await_template(struct frozen *frozen, int patience_ms);
void thaw_until_fork(struct frozen *frozen, int patience_ms);
void inspect(const struct settings *settings, struct frozen *frozen); /* ends this slot where something is not as it must be */
enum { OURS = 4, ALONE = OURS + 3 }; /* both of ours, bubblewrap, the box's process 1; then the two above and what was forked */
int count_tasks(const struct settings *settings); /* processes and threads of the box, with those of ours */
void append_file(char **at, const char *end, pid_t process, const char *name, const char *beginning); /* lines that begin so */
void append_changeable(char **at, const char *end, pid_t process); /* what others may change about it without its memory */
int exit_code_of_run(const struct frozen *frozen); /* as a shell reports it; -1: it is not to be had */

/* clock.c */
int64_t now_ms(void);          /* of the monotonic clock */
int open_pidfd(pid_t process); /* readable once the process has ended; -1: there is none */

/* traces.c */
void watch_traces(void);                            /* from when nothing has run yet */
void wait_for_no_traces(const struct request *request); /* ends this slot where some are left */
void check_places_are_empty(const struct settings *settings, const struct run *run);
void renew_places(const struct settings *settings, struct run *run, const struct request *request);
void forget_process_ids(pid_t init, int last);
void hide_process(const struct run *run, pid_t process, int id); /* which it has in the box */

/* run.c */
void prepare_run(const struct settings *settings, struct run *run);
void open_pipes(const struct settings *settings, struct run *run);
void perform_run(const struct settings *settings, struct run *run, const struct request *request);
bool supervise(const struct settings *settings, const struct request *request, struct run *run, struct child *child,
               struct report *report); /* whether everything was killed */
void end_everything(pid_t bubblewrap, struct report *report);
void tell_end(struct run *run, struct report *report, const struct use *use);

#endif
