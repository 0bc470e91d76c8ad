/*
 * Takes as much of one thing as it gets, in as many processes as it may have, and keeps it: `hold WHAT`. Prints how much that was.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

enum { PROCESSES = 120, MOST_FILTERS = 12, LOCKS_OF_FILE = 300, CROWDED = 9, LOCKS_OF_CROWDED = 5000 };
enum { BACKLOG = 511, ENTRIES = 8000 };

/* Source: linux/posix_acl.h of the kernel. */
enum { ACL_USER_OBJ = 1, ACL_USER = 2, ACL_GROUP_OBJ = 4, ACL_MASK = 16, ACL_OTHER = 32 };

static int process;
static struct sock_filter instructions[BPF_MAXINSNS];
static struct sock_fprog program = {BPF_MAXINSNS, instructions};

/* As long as may be, but of what every call passes. */
static void write_program(unsigned verdict) {
  for (int i = 0; i < BPF_MAXINSNS; i++) instructions[i] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_IMM, i);
  instructions[BPF_MAXINSNS - 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, verdict);
}

static int datagram_socket(int family, int type) { return socket(family, type, 0); }

static int take_event(int index) { return (void)index, eventfd(0, 0); }
/* As large as it gets, and full. */
static int take_pipe(int index) {
  static char text[65536];
  int ends[2];
  if (pipe2(ends, O_NONBLOCK) < 0) return -1;
  for (int bytes = 1 << 20; bytes > 4096 && fcntl(ends[1], F_SETPIPE_SZ, bytes) < 0; bytes /= 2);
  while (write(ends[1], text, sizeof text) > 0);
  return (void)index, ends[0];
}
static int take_pressure(int index) {
  static const char wanted[] = "some 500000 2000000";
  int fd = open("/proc/pressure/memory", O_RDWR | O_NONBLOCK);
  return (void)index, fd >= 0 && write(fd, wanted, sizeof wanted) < 0 ? -1 : fd;
}
static int take_timer_file(int index) { return (void)index, timerfd_create(CLOCK_REALTIME, 0); }
static int take_watch(int index) {
  struct epoll_event wanted = {EPOLLIN, {0}};
  int fd = epoll_create1(0);
  if (fd >= 0 && index > 0) epoll_ctl(fd, EPOLL_CTL_ADD, 0, &wanted);
  return fd;
}
static int take_notices(int index) { return (void)index, inotify_init1(0); }
static int take_filter(int index) {
  int fd = datagram_socket(AF_UNIX, SOCK_DGRAM);
  if (index < MOST_FILTERS && fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) == 0) return fd;
  close(fd);
  return -1;
}
static int take_netlink(int index) {
  struct {
    struct nlmsghdr head;
    struct rtgenmsg body;
  } request = {{sizeof request, RTM_GETADDR, NLM_F_REQUEST | NLM_F_DUMP, index, 0}, {AF_UNSPEC}};
  int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
  for (int i = 0; i < 16 && fd >= 0; i++) send(fd, &request, sizeof request, MSG_DONTWAIT);
  return fd;
}
static int take_unix_name(int index) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memset(address.sun_path + 1, 'x', sizeof address.sun_path - 1);
  memcpy(address.sun_path + 1, &process, sizeof process);
  memcpy(address.sun_path + 9, &index, sizeof index);
  int fd = datagram_socket(AF_UNIX, SOCK_DGRAM);
  return fd >= 0 && bind(fd, (void *)&address, sizeof address) < 0 ? -1 : fd;
}
static int take_listener(int index) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000001 + process)};
  int fd = datagram_socket(AF_INET, SOCK_STREAM);
  return (void)index, fd < 0 || bind(fd, (void *)&address, sizeof address) < 0 || listen(fd, 511) < 0 ? -1 : fd;
}
/* Whoever connected closes, and what they sent stays. The address is of the listener that the index belongs to. */
static int leave_behind(struct sockaddr *address, socklen_t length, int index) {
  static char text[60000];
  if (index % BACKLOG == 0) {
    int listener = socket(address->sa_family, SOCK_STREAM, 0);
    if (listener < 0 || bind(listener, address, length) < 0 || listen(listener, BACKLOG) < 0) return -1;
  }
  int fd = socket(address->sa_family, SOCK_STREAM, 0), result = connect(fd, address, length);
  if (result == 0) send(fd, text, sizeof text, MSG_DONTWAIT);
  close(fd);
  return result;
}
static int take_connection(int index) {
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(2000 + index / BACKLOG), .sin_addr.s_addr = htonl(0x7f000001 + process)};
  return leave_behind((void *)&address, sizeof address, index);
}
static int take_unix_connection(int index) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path + 1, 32, "%d-%d", process, index / BACKLOG);
  return leave_behind((void *)&address, sizeof address, index);
}
static int take_datagram(int index) {
  static char text[60000];
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000001 + process)};
  int fd = datagram_socket(AF_INET, SOCK_DGRAM);
  if (index > 500 || fd < 0 || bind(fd, (void *)&address, sizeof address) < 0) return -1;
  address.sin_port = htons(9);
  return sendto(fd, text, sizeof text, MSG_MORE, (void *)&address, sizeof address);
}
struct entry {
  unsigned short tag, may;
  unsigned id;
};
static int take_access_list(int index) {
  static struct {
    unsigned version;
    struct entry entries[ENTRIES];
  } list = {2, {{ACL_USER_OBJ, 6, -1}}};
  const struct entry last[] = {{ACL_GROUP_OBJ, 6, -1}, {ACL_MASK, 6, -1}, {ACL_OTHER, 6, -1}};
  for (int i = 1; i < ENTRIES; i++) list.entries[i] = (struct entry){ACL_USER, 6, getuid()};
  memcpy(list.entries + ENTRIES - 3, last, sizeof last);
  char path[64];
  snprintf(path, sizeof path, "/tmp/%d-%d", process, index);
  close(open(path, O_RDWR | O_CREAT, 0600));
  return index < 100 ? setxattr(path, "system.posix_acl_access", &list, sizeof list, 0) : -1;
}
static int take_groups(int index) {
  int fd = datagram_socket(AF_INET, SOCK_DGRAM);
  for (int i = 0; i < 20; i++) {
    struct ip_mreqn group = {{htonl(0xe1000000 + process * 65536 + index * 20 + i)}, {0}, 1};
    if (setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &group, sizeof group) < 0) return -1;
  }
  return fd;
}
static int open_own(int index) {
  char path[64];
  snprintf(path, sizeof path, "/tmp/%d-%d", process, index);
  return open(path, O_RDWR | O_CREAT, 0600);
}
static int take_whole_lock(int index) {
  int fd = index < 800 ? open_own(index) : -1;
  return fd < 0 || flock(fd, LOCK_EX) < 0 ? -1 : fd;
}
static int take_locks(int index) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
  int fd = index < 800 ? open_own(index) : -1;
  for (lock.l_start = 0; lock.l_start < 2 * LOCKS_OF_FILE && fd >= 0; lock.l_start += 2)
    if (fcntl(fd, F_SETLK, &lock) < 0) return -1;
  return fd;
}
/* Few enough, on files that all others open a thousand times afterwards. */
static int take_crowded_lock(int index) {
  char path[64];
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 2 * index, .l_len = 1};
  static int fd = -1;
  if (index == 0 && process >= CROWDED) sleep(2);
  if (index == 0 || process >= CROWDED) {
    snprintf(path, sizeof path, "/tmp/%d", process < CROWDED ? process : index % CROWDED);
    fd = open(path, O_RDWR | O_CREAT, 0600);
  }
  return process >= CROWDED ? fd : index < LOCKS_OF_CROWDED ? fcntl(fd, F_SETLK, &lock) : -1;
}
static int take_link(int index) {
  char path[64], target[128];
  memset(target, 'x', sizeof target);
  target[sizeof target - 1] = 0;
  snprintf(path, sizeof path, "/tmp/%d-%d", process, index);
  return index < 800 ? symlink(target, path) : -1;
}
static int take_timer(int index) {
  struct sigevent event = {.sigev_notify = SIGEV_NONE};
  timer_t timer;
  return (void)index, timer_create(CLOCK_MONOTONIC, &event, &timer);
}
static int take_signal(int index) {
  union sigval value = {index};
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  return sigqueue(getpid(), SIGRTMIN, value);
}
static int take_message(int index) {
  static struct {
    long kind;
    char text[8000];
  } message = {1, ""};
  static int queue = -1;
  if (index % 2 == 0) queue = msgget(IPC_PRIVATE, 0600);
  return msgsnd(queue, &message, sizeof message.text, IPC_NOWAIT);
}
static int take_semaphores(int index) { return (void)index, semget(IPC_PRIVATE, 1000, 0600); }
static int take_queue(int index) {
  char name[32];
  snprintf(name, sizeof name, "/%d-%d", process, index);
  mqd_t queue = mq_open(name, O_RDWR | O_CREAT, 0600, NULL);
  return queue < 0 ? -1 : mq_send(queue, name, sizeof name, 0);
}
static int take_call_filter(int index) {
  return index < 7 ? prctl(PR_SET_SECCOMP, 2, &program, 0, 0) : -1;
}
static int take_name(int index) {
  static char *memory;
  if (!memory) memory = mmap(NULL, 40000l * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char name[64];
  memset(name, 'x', sizeof name);
  snprintf(name + 40, 20, "%d-%d", process, index);
  return index < 2000 ? prctl(0x53564d41, 0, memory + index * 8192l, 4096l, name) : -1;
}
static int look_up(int index) {
  char path[256];
  snprintf(path, sizeof path, "/usr/%0200d-%d-%d", 0, process, index);
  return access(path, F_OK), index < 5000 ? 0 : -1;
}

static const struct {
  const char *what;
  int (*take)(int index);
} WAYS[] = {{"events", take_event},
            {"pipes", take_pipe},
            {"notices of pressure", take_pressure},
            {"timer files", take_timer_file},
            {"epoll", take_watch},
            {"inotify", take_notices},
            {"socket filters", take_filter},
            {"netlink answers", take_netlink},
            {"names of sockets", take_unix_name},
            {"listening sockets", take_listener},
            {"connections that nobody accepts", take_connection},
            {"Unix connections that nobody accepts", take_unix_connection},
            {"datagrams without an end", take_datagram},
            {"lists of who may use a file", take_access_list},
            {"multicast groups", take_groups},
            {"locks of whole files", take_whole_lock},
            {"locks of parts of files", take_locks},
            {"locks that take long to count", take_crowded_lock},
            {"links", take_link},
            {"timers", take_timer},
            {"signals", take_signal},
            {"messages", take_message},
            {"semaphores", take_semaphores},
            {"message queues", take_queue},
            {"filters of system calls", take_call_filter},
            {"names of mappings", take_name},
            {"look-ups that fail", look_up}};

static int take_all(const char *what) {
  int count = 0;
  for (size_t i = 0; i < sizeof WAYS / sizeof *WAYS; i++)
    if (!strcmp(WAYS[i].what, what))
      while (WAYS[i].take(count) >= 0) count++;
  return count;
}

int main(int count, char **words) {
  int taken[2], total = 0, one;
  if (count != 2 || pipe(taken) < 0) return 1;
  write_program(0x7fff0000);
  for (process = 0; process < PROCESSES; process++) {
    if (fork() != 0) continue;
    one = take_all(words[1]);
    if (write(taken[1], &one, sizeof one) < 0) return 1;
    pause();
  }
  for (int i = 0; i < PROCESSES; i++) total += read(taken[0], &one, sizeof one) == sizeof one ? one : 0;
  printf("%d\n", total);
  fflush(stdout);
  pause();
}
