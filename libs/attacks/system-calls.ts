/**
 * Numbers of system calls on the two architectures (source: the kernel's tables), written down here once more so that
 * the filter is tried by what it should refuse and not by its own list.
 */
type Numbers = readonly [x64: number | null, arm64: number | null];

const NUMBERS = {
  ioctl: [16, 29],
  fcntl: [72, 25],
  prctl: [157, 167],
  setsockopt: [54, 208],
  getsockopt: [55, 209],
  memfd_create: [319, 279],
  shmget: [29, 194],
  preadv2: [327, 286],
  inotify_init: [253, null],
  inotify_init1: [294, 26],
  inotify_add_watch: [254, 27],
  seccomp: [317, 277],
  sync: [162, 81],
  syncfs: [306, 267],
  mmap: [9, 222],
  socket: [41, 198],
  clone: [56, 220],
  ptrace: [101, 117],
  syslog: [103, 116],
  mknodat: [259, 33],
  ustat: [136, null],
  personality: [135, 92],
  sysfs: [139, null],
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
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  clone3: [435, 435],
  pidfd_getfd: [438, 438],
  process_madvise: [440, 440],
  mount_setattr: [442, 442],
  quotactl_fd: [443, 443],
  memfd_secret: [447, 447],
  process_mrelease: [448, 448],
  set_mempolicy_home_node: [450, 450],
} satisfies Record<string, Numbers>;

export type SystemCall = keyof typeof NUMBERS;

/** Null where this machine's architecture does not have the call. */
export function numberOf(call: SystemCall): number | null {
  return NUMBERS[call][process.arch === 'arm64' ? 1 : 0];
}

/**
 * Numbers up to 600 that no box may know: calls that nobody needs, holes in the tables, and what kernels got lately or will get. Those
 * that are refused as forbidden rather than as unknown are not among them; neither are uretprobe and uprobe (335, 336), of which newer
 * kernels ask no filter: they are the kernel's own, and of no use to others.
 */
export function unknownNumbers(): number[] {
  const known = new Set([434, 436, 437, 438, 439, 440, 441, 443, 448, 450, 424]);
  const old =
    process.arch === 'arm64'
      ? [...upTo(0, 4), ...upTo(26, 28), 234, 263, 277, 292, ...upTo(244, 259)]
      : [
          ...[134, 174, 177, 178, ...upTo(181, 185), ...upTo(205, 211), 214, 215, 216, 236],
          ...[253, 254, 255, 294, 301, 317, 333],
        ];
  return [...old, ...upTo(337, 600).filter((number) => !known.has(number))];
}

const upTo = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
