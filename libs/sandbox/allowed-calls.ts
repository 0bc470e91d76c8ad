import { parseCalls } from './call-table.js';

/**
 * The system calls that programs in a box may use: name, number on x86-64, number on arm64 (`-`: not there). Sources: what Docker's
 * default profile allows to a container without capabilities, and the kernel's `syscall_64.tbl` and `asm-generic/unistd.h`.
 *
 * Left out of Docker's list:
 * - io_setup and what belongs to it, and seccomp: their contexts and programs are counted for the whole machine
 * - inotify: it tells when somebody else's run opens a file of /usr
 * - memfd_secret, vmsplice, and what looks into other processes
 * - remap_file_pages and the like, which nobody uses any more
 * - Landlock: a rule holds a file of a run that is over, which nothing shows of the process that has made it
 * - everything that Linux got after 441. C libraries do without it on older kernels, and do so here.
 */
/** Files, folders, pipes. */
const FILES = `
  read 0 63, write 1 64, open 2 -, close 3 57, stat 4 -, fstat 5 80, lstat 6 -, newfstatat 262 79,
  statx 332 291, poll 7 -, ppoll 271 73, lseek 8 62, pread64 17 67, pwrite64 18 68, readv 19 65, writev 20 66,
  preadv 295 69, pwritev 296 70, preadv2 327 286, pwritev2 328 287, access 21 -, faccessat 269 48,
  faccessat2 439 439, pipe 22 -, pipe2 293 59, select 23 -, pselect6 270 72, dup 32 23, dup2 33 -, dup3 292 24,
  sendfile 40 71, fcntl 72 25, flock 73 32, fsync 74 82, fdatasync 75 83,
  sync_file_range 277 84, truncate 76 45, ftruncate 77 46, fallocate 285 47, fadvise64 221 223,
  readahead 187 213, getdents 78 -, getdents64 217 61, getcwd 79 17, chdir 80 49, fchdir 81 50, rename 82 -,
  renameat 264 38, renameat2 316 276, mkdir 83 -, mkdirat 258 34, rmdir 84 -, creat 85 -, link 86 -,
  linkat 265 37, unlink 87 -, unlinkat 263 35, symlink 88 -, symlinkat 266 36, readlink 89 -,
  readlinkat 267 78, chmod 90 -, fchmod 91 52, fchmodat 268 53, chown 92 -, fchown 93 55, lchown 94 -,
  fchownat 260 54, umask 95 166, utime 132 -, utimes 235 -, futimesat 261 -, utimensat 280 88, mknod 133 -,
  mknodat 259 33, statfs 137 43, fstatfs 138 44, openat 257 56, openat2 437 437, close_range 436 436,
  copy_file_range 326 285, splice 275 76, tee 276 77, ioctl 16 29, setxattr 188 5, lsetxattr 189 6,
  fsetxattr 190 7, getxattr 191 8, lgetxattr 192 9, fgetxattr 193 10, listxattr 194 11, llistxattr 195 12,
  flistxattr 196 13, removexattr 197 14, lremovexattr 198 15, fremovexattr 199 16`;

/** Waiting for several things at once. */
const WAITING = `
  epoll_create 213 -, epoll_create1 291 20, epoll_ctl 233 21, epoll_wait 232 -, epoll_pwait 281 22,
  epoll_pwait2 441 441, eventfd 284 -, eventfd2 290 19, signalfd 282 -, signalfd4 289 74,
  timerfd_create 283 85, timerfd_settime 286 86, timerfd_gettime 287 87`;

const MEMORY = `
  mmap 9 222, mprotect 10 226, munmap 11 215, brk 12 214, mremap 25 216, msync 26 227, mincore 27 232,
  madvise 28 233, mlock 149 228, mlock2 325 284, munlock 150 229, mlockall 151 230, munlockall 152 231,
  memfd_create 319 279, pkey_mprotect 329 288, pkey_alloc 330 289, pkey_free 331 290, membarrier 324 283`;

/** Processes, threads, signals, and giving up rights. */
const PROCESSES = `
  clone 56 220, fork 57 -, vfork 58 -, execve 59 221, execveat 322 281, exit 60 93, exit_group 231 94,
  wait4 61 260, waitid 247 95, kill 62 129, tkill 200 130, tgkill 234 131, pause 34 -, rt_sigaction 13 134,
  rt_sigprocmask 14 135, rt_sigreturn 15 139, rt_sigpending 127 136, rt_sigtimedwait 128 137,
  rt_sigqueueinfo 129 138, rt_tgsigqueueinfo 297 240, rt_sigsuspend 130 133, sigaltstack 131 132,
  restart_syscall 219 128, pidfd_open 434 434, pidfd_send_signal 424 424, getpid 39 172, getppid 110 173,
  gettid 186 178, getpgrp 111 -, getpgid 121 155, setpgid 109 154, getsid 124 156, setsid 112 157,
  set_tid_address 218 96, set_robust_list 273 99, get_robust_list 274 100, futex 202 98, rseq 334 293,
  prctl 157 167, arch_prctl 158 -`;

/** Users, limits, scheduling: of their own processes only, as the kernel decides. */
const RIGHTS = `
  getuid 102 174, geteuid 107 175, getgid 104 176, getegid 108 177, setuid 105 146, setgid 106 144,
  setreuid 113 145, setregid 114 143, setresuid 117 147, getresuid 118 148, setresgid 119 149,
  getresgid 120 150, setfsuid 122 151, setfsgid 123 152, getgroups 115 158, setgroups 116 159, capget 125 90,
  capset 126 91, getrlimit 97 163, setrlimit 160 164, prlimit64 302 261, getrusage 98 165, getpriority 140 141,
  setpriority 141 140, ioprio_get 252 31, ioprio_set 251 30, sched_yield 24 124, sched_setparam 142 118,
  sched_getparam 143 121, sched_setscheduler 144 119, sched_getscheduler 145 120,
  sched_get_priority_max 146 125, sched_get_priority_min 147 126, sched_rr_get_interval 148 127,
  sched_setaffinity 203 122, sched_getaffinity 204 123, sched_setattr 314 274, sched_getattr 315 275`;

/** Clocks, timers, chance. */
const TIME = `
  time 201 -, gettimeofday 96 169, times 100 153, nanosleep 35 101, clock_gettime 228 113,
  clock_getres 229 114, clock_nanosleep 230 115, getitimer 36 102, setitimer 38 103, alarm 37 -,
  timer_create 222 107, timer_settime 223 110, timer_gettime 224 108, timer_getoverrun 225 109,
  timer_delete 226 111, uname 63 160, sysinfo 99 179, getcpu 309 168, getrandom 318 278`;

/** Sockets, of the kinds that the filter lets be made. */
const NETWORK = `
  socket 41 198, socketpair 53 199, connect 42 203, accept 43 202, accept4 288 242, bind 49 200, listen 50 201,
  shutdown 48 210, getsockname 51 204, getpeername 52 205, setsockopt 54 208, getsockopt 55 209, sendto 44 206,
  recvfrom 45 207, sendmsg 46 211, recvmsg 47 212, sendmmsg 307 269, recvmmsg 299 243`;

/** Of the box alone, which has a namespace of its own for them. */
const IPC = `
  shmget 29 194, shmat 30 196, shmctl 31 195, shmdt 67 197, semget 64 190, semop 65 193, semtimedop 220 192,
  semctl 66 191, msgget 68 186, msgsnd 69 189, msgrcv 70 188, msgctl 71 187, mq_open 240 180,
  mq_unlink 241 181, mq_timedsend 242 182, mq_timedreceive 243 183, mq_notify 244 184, mq_getsetattr 245 185`;

export const ALLOWED = parseCalls([FILES, WAITING, MEMORY, PROCESSES, RIGHTS, TIME, NETWORK, IPC].join(','));
