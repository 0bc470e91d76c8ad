/** Linux system call numbers (source: the kernel's `syscall_64.tbl` and `asm-generic/unistd.h`). */
export type SeccompArchitecture = 'x64' | 'arm64';

type Numbers = readonly [x64: number | null, arm64: number | null];

/** Numbers from 424 on are the same on every architecture. */
const both = (number: number): Numbers => [number, number];

/** Refused with EPERM: they reach beyond the box, or are a way into the kernel that no script needs. */
export const FORBIDDEN: Readonly<Record<string, Numbers>> = {
  ptrace: [101, 117],
  syslog: [103, 116],
  ustat: [136, null],
  sysfs: [139, null],
  personality: [135, 92],
  vhangup: [153, 58],
  modify_ldt: [154, null],
  pivot_root: [155, 41],
  _sysctl: [156, null],
  adjtimex: [159, 171],
  chroot: [161, 51],
  acct: [163, 89],
  settimeofday: [164, 170],
  mount: [165, 40],
  umount2: [166, 39],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  iopl: [172, null],
  ioperm: [173, null],
  init_module: [175, 105],
  delete_module: [176, 106],
  quotactl: [179, 60],
  nfsservctl: [180, 42],
  lookup_dcookie: [212, 18],
  clock_settime: [227, 112],
  mbind: [237, 235],
  set_mempolicy: [238, 237],
  get_mempolicy: [239, 236],
  kexec_load: [246, 104],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  migrate_pages: [256, 238],
  unshare: [272, 97],
  vmsplice: [278, 75],
  move_pages: [279, 239],
  perf_event_open: [298, 241],
  fanotify_init: [300, 262],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  clock_adjtime: [305, 266],
  setns: [308, 268],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  finit_module: [313, 273],
  kexec_file_load: [320, 294],
  bpf: [321, 280],
  userfaultfd: [323, 282],
  pidfd_getfd: both(438),
  process_madvise: both(440),
  quotactl_fd: both(443),
  process_mrelease: both(448),
  set_mempolicy_home_node: both(450),
};

/** Refused with ENOSYS, as by an older kernel: libraries try them and have another way. */
export const UNKNOWN: Readonly<Record<string, Numbers>> = {
  io_uring_setup: both(425),
  io_uring_enter: both(426),
  io_uring_register: both(427),
  open_tree: both(428),
  move_mount: both(429),
  fsopen: both(430),
  fsconfig: both(431),
  fsmount: both(432),
  fspick: both(433),
  // Its flags lie in memory that a filter cannot read; the C libraries fall back to clone.
  clone3: both(435),
  mount_setattr: both(442),
  memfd_secret: both(447),
  statmount: both(457),
  listmount: both(458),
  open_tree_attr: both(467),
};

/** Refused as well where no cgroup counts memory: it would belong to no process's heap. */
export const UNCOUNTED_MEMORY: Readonly<Record<string, Numbers>> = {
  shmget: [29, 194],
  memfd_create: [319, 279],
};

/** Refused where the disk is the host's: C libraries then write the space that was asked for. */
export const UNWRITTEN_SPACE: Readonly<Record<string, Numbers>> = {
  fallocate: [285, 47],
};

/** Allowed or not by their arguments. */
export const CONDITIONAL = {
  mmap: [9, 222],
  ioctl: [16, 29],
  socket: [41, 198],
  socketpair: [53, 199],
  clone: [56, 220],
} satisfies Record<string, Numbers>;

/** @returns the number on that architecture, or null where the call does not exist. */
export function numberOf(numbers: Numbers, architecture: SeccompArchitecture): number | null {
  return numbers[architecture === 'x64' ? 0 : 1];
}
