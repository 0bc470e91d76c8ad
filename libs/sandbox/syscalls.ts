import { ALLOWED } from './allowed-calls.js';
import { parseCalls } from './call-table.js';
import type { CallTable, Numbers } from './call-table.js';

/**
 * Refused with EPERM, as the kernel refuses somebody without rights: they reach beyond the box, or are a way into the kernel that no
 * script needs. Whatever is neither here nor in {@link ALLOWED} is ENOSYS, as by a kernel that does not have it: programs that try
 * a newer call have another way, and what future kernels add stays closed.
 */
export const FORBIDDEN: CallTable = parseCalls(`
  ptrace 101 117, syslog 103 116, ustat 136 -, sysfs 139 -, personality 135 92, vhangup 153 58, modify_ldt 154 -,
  pivot_root 155 41, _sysctl 156 -, adjtimex 159 171, chroot 161 51, acct 163 89, settimeofday 164 170,
  mount 165 40, umount2 166 39, swapon 167 224, swapoff 168 225, reboot 169 142, sethostname 170 161,
  setdomainname 171 162, iopl 172 -, ioperm 173 -, init_module 175 105, delete_module 176 106, quotactl 179 60,
  nfsservctl 180 42, lookup_dcookie 212 18, clock_settime 227 112, mbind 237 235, set_mempolicy 238 237,
  get_mempolicy 239 236, kexec_load 246 104, add_key 248 217, request_key 249 218, keyctl 250 219,
  migrate_pages 256 238, unshare 272 97, vmsplice 278 75, move_pages 279 239, perf_event_open 298 241,
  fanotify_init 300 262, name_to_handle_at 303 264, open_by_handle_at 304 265, clock_adjtime 305 266,
  setns 308 268, process_vm_readv 310 270, process_vm_writev 311 271, kcmp 312 272, finit_module 313 273,
  kexec_file_load 320 294, bpf 321 280, userfaultfd 323 282, pidfd_getfd 438 438, process_madvise 440 440,
  quotactl_fd 443 443, sync 162 81, syncfs 306 267, process_mrelease 448 448, set_mempolicy_home_node 450 450`);

const allowed = (name: string): Numbers => {
  const numbers = ALLOWED[name];
  if (!numbers) throw new TypeError(`${name} is not among the allowed system calls`);
  return numbers;
};

const some = (...names: string[]): CallTable =>
  Object.fromEntries(names.map((name) => [name, allowed(name)]));

/** Refused as well where no cgroup counts memory: it would belong to no process's heap. */
export const UNCOUNTED_MEMORY = some('shmget', 'memfd_create');

/** Refused where the disk is the host's: C libraries then write the space that was asked for. */
export const UNWRITTEN_SPACE = some('fallocate');

/**
 * Refused as by a file system that has none. A list of who may use a file can have 8,000 entries, lies in the kernel's memory, and is
 * counted for nobody; no filter can tell one attribute from another.
 */
export const ATTRIBUTES = some('setxattr', 'lsetxattr', 'fsetxattr');

/**
 * Not made, and their callers are told that they were. What a box writes is in memory, or a build's and read by the
 * worker. Files of the host that it can only read would be brought to the disk as well, at everybody's cost, or be
 * dropped from the cache of all.
 */
export const WITHOUT_EFFECT = some('fsync', 'fdatasync', 'sync_file_range', 'fadvise64');

/** Allowed or not by their arguments. */
export const CONDITIONAL = {
  clone: allowed('clone'),
  socket: allowed('socket'),
  socketpair: allowed('socketpair'),
  setsockopt: allowed('setsockopt'),
  getsockopt: allowed('getsockopt'),
  ioctl: allowed('ioctl'),
  fcntl: allowed('fcntl'),
  prctl: allowed('prctl'),
  mmap: allowed('mmap'),
  memfd_create: allowed('memfd_create'),
  shmget: allowed('shmget'),
  madvise: allowed('madvise'),
  msync: allowed('msync'),
  preadv2: allowed('preadv2'),
  pwritev2: allowed('pwritev2'),
};
