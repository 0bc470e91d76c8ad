import { type SystemCall, numberOf } from './system-calls.js';

/** A number; a text, whose address is passed; or the address of 256 zero bytes. */
export type CallArgument = number | string | null;
/** A call, its arguments, and the errno that it has to be refused with. */
export type RefusedCall = readonly [SystemCall, CallArgument[], string];
const ZEROS = null;
const SIGCHLD = 17;

/** Kinds of namespaces, by the flags of clone(2). */
const NAMESPACES = {
  time: 0x80,
  mount: 0x20000,
  cgroup: 0x2000000,
  uts: 0x4000000,
  ipc: 0x8000000,
  user: 0x10000000,
  pid: 0x20000000,
  net: 0x40000000,
};

/** clone has no place for the time namespace: its bit is part of the signal. */
export const NEW_NAMESPACES: readonly RefusedCall[] = [
  ...Object.values(NAMESPACES).map((flag): RefusedCall => ['unshare', [flag], 'EPERM']),
  ...Object.values(NAMESPACES)
    .slice(1)
    .map((flag): RefusedCall => ['clone', [flag | SIGCHLD], 'EPERM']),
  ['clone', [2 ** 40 + NAMESPACES.user + SIGCHLD], 'EPERM'],
  ['unshare', [2 ** 40 + NAMESPACES.user], 'EPERM'],
  ['clone3', [ZEROS, 88], 'ENOSYS'],
];

export const MOUNTS: readonly RefusedCall[] = [
  ['mount', ['none', '/tmp', 'tmpfs'], 'EPERM'],
  ['mount', ['/proc', '/tmp', 'none', 0x1000], 'EPERM'],
  ['mount', ['none', '/usr', 'none', 0x20], 'EPERM'],
  ['umount2', ['/app', 2], 'EPERM'],
  ['pivot_root', ['/tmp', '/tmp'], 'EPERM'],
  ['chroot', ['/tmp'], 'EPERM'],
  ['open_tree', [-100, '/', 1], 'ENOSYS'],
  ['move_mount', [-100, '/app', -100, '/tmp'], 'ENOSYS'],
  ['fsopen', ['tmpfs', 0], 'ENOSYS'],
  ['fsconfig', [0, 6], 'ENOSYS'],
  ['fsmount', [0], 'ENOSYS'],
  ['fspick', [-100, '/'], 'ENOSYS'],
  ['mount_setattr', [-100, '/usr', 0, ZEROS, 32], 'ENOSYS'],
  ['name_to_handle_at', [-100, '/app', ZEROS, ZEROS], 'EPERM'],
  ['open_by_handle_at', [-100, ZEROS, 0], 'EPERM'],
];

/** Into other processes. The first is PTRACE_TRACEME, which everybody else's kernel allows. */
export const OTHER_PROCESSES: readonly RefusedCall[] = [
  ['ptrace', [0], 'EPERM'],
  ['ptrace', [16, 1], 'EPERM'],
  ['process_vm_readv', [1], 'EPERM'],
  ['process_vm_writev', [1], 'EPERM'],
  ['kcmp', [1, 1, 0], 'EPERM'],
  ['pidfd_getfd', [0, 0], 'EPERM'],
  ['process_madvise', [0], 'EPERM'],
  ['process_mrelease', [0], 'EPERM'],
  ['migrate_pages', [1], 'EPERM'],
  ['move_pages', [1], 'EPERM'],
];

/** Doors into the kernel. */
export const DOORS: readonly RefusedCall[] = [
  ['keyctl', [0, -1, 1], 'EPERM'],
  ['add_key', ['user', 'a', 'b', 1, -1], 'EPERM'],
  ['request_key', ['user', 'a', 0, -1], 'EPERM'],
  ['bpf', [0, ZEROS, 120], 'EPERM'],
  ['perf_event_open', [ZEROS, 0, -1, -1], 'EPERM'],
  ['userfaultfd', [1], 'EPERM'],
  ['io_uring_setup', [8, ZEROS], 'ENOSYS'],
  ['io_uring_enter', [0], 'ENOSYS'],
  ['io_uring_register', [0], 'ENOSYS'],
  ['memfd_secret', [0], 'ENOSYS'],
  ['seccomp', [1, 0, ZEROS], 'ENOSYS'], // its programs are counted for the whole machine
  ['prctl', [22, 2, ZEROS], 'EINVAL'], // PR_SET_SECCOMP, the same
  ['prctl', [2 ** 32 + 22, 2, ZEROS], 'EINVAL'],
  ['prctl', [0x53564d41, 0, 0, 0, 'name'], 'EINVAL'], // PR_SET_VMA, whose names no limit counts
  ['prctl', [62, 1, 0, 0], 'EINVAL'], // PR_SCHED_CORE, which keeps neighbours off a processor
  ['memfd_create', ['huge', 4], 'ENOMEM'], // of the machine's own pool
  ['shmget', [0, 1 << 21, 0o5600], 'ENOMEM'],
  ['vmsplice', [1], 'EPERM'],
  ['fanotify_init', [0], 'EPERM'],
  ['personality', [0x40000], 'EPERM'], // addresses that are not random
  ['modify_ldt', [0, ZEROS, 16], 'EPERM'],
  ['lookup_dcookie', [0], 'EPERM'],
  ['mbind', [0], 'EPERM'],
  ['set_mempolicy', [0], 'EPERM'],
  ['get_mempolicy', [0], 'EPERM'],
  ['set_mempolicy_home_node', [0], 'EPERM'],
  ['ustat', [0], 'EPERM'],
  ['sysfs', [3], 'EPERM'],
  ['_sysctl', [0], 'EPERM'],
  ['nfsservctl', [0], 'EPERM'],
];

/** Those that this machine's architecture has. */
export const exists = ([name]: readonly [SystemCall, ...unknown[]]): boolean => numberOf(name) !== null;

/** A call as the programs below are asked for it: the number, and six arguments. */
export const asked = (name: SystemCall, args: readonly CallArgument[]): CallArgument[] => [
  numberOf(name)!,
  ...[...args, 0, 0, 0, 0, 0, 0].slice(0, 6),
];

/** With what each of the inputs' `calls` is answered, in order: each is made in a child, since some kill. */
export const TRY_CALLS = `
libc = ctypes.CDLL(None, use_errno=True)
def argument(a):
    return ctypes.c_long(a) if isinstance(a, int) else ctypes.create_string_buffer(256) if a is None else ctypes.c_char_p(a.encode())
def attempt(call):
    r, w = os.pipe()
    pid = os.fork()
    if pid == 0:
        signal.alarm(3) # some wait for ever where they are allowed
        ctypes.set_errno(0)
        result = libc.syscall(*[argument(a) for a in call])
        os.write(w, errno.errorcode.get(ctypes.get_errno(), "?").encode() if result < 0 else b"done")
        os._exit(0)
    os.close(w)
    status = os.waitpid(pid, 0)[1]
    try: return os.read(r, 99).decode() or "killed by " + signal.Signals(os.WTERMSIG(status)).name
    finally: os.close(r)
print(json.dumps([attempt(call) for call in inputs()["calls"]]))
`;

/** With what sockets are answered that reach past the box's network, by what they are. */
export const SOCKETS = `
kinds = {"raw ICMP": (2, 3, 1), "raw IP": (2, 3, 255), "ping": (2, 2, 1), "packets of the link": (17, 3, 768), "netlink": (16, 3, 0), "audit": (16, 3, 9),
  "vsock": (40, 1, 0), "the kernel's ciphers": (38, 5, 0), "CAN": (29, 3, 1), "XDP": (44, 3, 0), "SCTP": (2, 1, 132), "MPTCP": (2, 1, 262), "X.25": (9, 5, 0)}
print(json.dumps({name: refusal(lambda: socket.socket(*kind).close()) for name, kind in kinds.items()}))
`;
