import { beforeAll, describe, expect, it } from 'vitest';

import type { TestScript } from '../support/scripts.js';
import { anAttacker, PROCESSES } from './support/attack.js';
import { type SystemCall, numberOf, unknownNumbers } from './support/system-calls.js';

const attacker = anAttacker();
let caller: TestScript;

/** A number; a text, whose address is passed; or the address of 256 zero bytes. */
type Argument = number | string | null;
const ZEROS = null;

/** Calls the kernel as asked, in a child since some calls kill, and returns `name of the errno` or `done`. */
beforeAll(async () => {
  caller = await attacker.script(`
libc = ctypes.CDLL(None, use_errno=True)
asked = inputs()
r, w = os.pipe()
pid = os.fork()
if pid == 0:
    def argument(a):
        return ctypes.c_long(a) if isinstance(a, int) else ctypes.create_string_buffer(256) if a is None else ctypes.c_char_p(a.encode())
    arguments = [argument(a) for a in asked["arguments"]]
    result = libc.syscall(ctypes.c_long(asked["number"]), *arguments)
    os.write(w, errno.errorcode.get(ctypes.get_errno(), "?").encode() if result < 0 else b"done")
    os._exit(0)
os.close(w)
status = os.waitpid(pid, 0)[1]
print(os.read(r, 99).decode() or "killed by " + signal.Signals(os.WTERMSIG(status)).name)
`);
});

async function call(number: number, args: Argument[]): Promise<unknown> {
  const end = await attacker.run(caller, { number, arguments: [...args, 0, 0, 0, 0, 0, 0].slice(0, 6) });
  expect(end).toMatchObject({ status: 'succeeded' });
  return end.output;
}

const exists = ([name]: [SystemCall, ...unknown[]]): boolean => numberOf(name) !== null;

describe('namespaces', () => {
  const FLAGS = {
    time: 0x80,
    mount: 0x20000,
    cgroup: 0x2000000,
    uts: 0x4000000,
    ipc: 0x8000000,
    user: 0x10000000,
    pid: 0x20000000,
    net: 0x40000000,
  };
  const SIGCHLD = 17;

  it.each(Object.entries(FLAGS))('no new %s namespace by unshare', async (_, flag) => {
    expect(await call(numberOf('unshare')!, [flag])).toBe('EPERM');
  });

  // clone has no place for the time namespace: its bit is part of the signal.
  it.each(Object.entries(FLAGS).slice(1))('no new %s namespace by clone', async (_, flag) => {
    expect(await call(numberOf('clone')!, [flag | SIGCHLD])).toBe('EPERM');
  });

  it('no new namespace by flags whose upper half the kernel ignores', async () => {
    expect(await call(numberOf('clone')!, [2 ** 40 + FLAGS.user + SIGCHLD])).toBe('EPERM');
    expect(await call(numberOf('unshare')!, [2 ** 40 + FLAGS.user])).toBe('EPERM');
  });

  it('no clone3, whose flags no filter can read', async () => {
    expect(await call(numberOf('clone3')!, [ZEROS, 88])).toBe('ENOSYS');
  });

  it('no entering of another, not even of its own', async () => {
    const answers = await attacker.findings(`
libc = ctypes.CDLL(None, use_errno=True)
def enter(path):
    if libc.setns(os.open(path, os.O_RDONLY), 0) < 0: raise OSError(ctypes.get_errno(), "setns")
print(json.dumps([refusal(enter, "/proc/%s/ns/%s" % (pid, name)) for pid in ("self", "1") for name in ("net", "mnt", "user", "pid")]))
`);
    for (const answer of answers) expect(answer).toMatch(/^E(PERM|ACCES|NOENT)$/);
  });
});

describe('mounts', () => {
  it.each<[SystemCall, Argument[], string]>([
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
  ])('%s(%j) is refused', async (name, args, answer) => {
    expect(await call(numberOf(name)!, args)).toBe(answer);
  });
});

describe('other processes', () => {
  it.each<[SystemCall, Argument[]]>([
    ['ptrace', [0]], // PTRACE_TRACEME, which everybody else's kernel allows
    ['ptrace', [16, 1]],
    ['process_vm_readv', [1]],
    ['process_vm_writev', [1]],
    ['kcmp', [1, 1, 0]],
    ['pidfd_getfd', [0, 0]],
    ['process_madvise', [0]],
    ['process_mrelease', [0]],
    ['migrate_pages', [1]],
    ['move_pages', [1]],
  ])('%s(%j) is refused', async (name, args) => {
    expect(await call(numberOf(name)!, args)).toBe('EPERM');
  });

  it('ptrace of one’s own child is refused', async () => {
    const answer = await attacker.findings(`
libc = ctypes.CDLL(None, use_errno=True)
child = os.fork()
if child == 0: time.sleep(20); os._exit(0)
libc.ptrace(16, child, 0, 0)
print(errno.errorcode[ctypes.get_errno()])
os.kill(child, 9)
`);
    expect(answer).toBe('EPERM');
  });
});

describe('doors into the kernel', () => {
  const DOORS: [SystemCall, Argument[], string][] = [
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

  it.each(DOORS.filter(exists))('%s(%j) is refused', async (name, args, answer) => {
    expect(await call(numberOf(name)!, args)).toBe(answer);
  });
});

describe('options of sockets', () => {
  const TCP = [2, 1] as const;
  const UDP6 = [10, 2] as const;
  const UNIX = [1, 2] as const;
  /** Family and type, level, option. */
  const OPTIONS: [string, readonly [number, number], number, number][] = [
    ['SO_ATTACH_FILTER', UNIX, 1, 26],
    ['SO_ATTACH_FILTER of a connection', TCP, 1, 26],
    ['SO_ATTACH_FILTER, with upper halves that the kernel ignores', UNIX, 2 ** 32 + 1, 2 ** 32 + 26],
    ['SO_ATTACH_BPF', UDP6, 1, 50],
    ['SO_ATTACH_REUSEPORT_CBPF', UDP6, 1, 51],
    ['SO_ATTACH_REUSEPORT_EBPF', UDP6, 1, 52],
    ['SO_RESERVE_MEM', TCP, 1, 73],
    ['SO_ZEROCOPY', TCP, 1, 60],
    ['TCP_ULP', TCP, 6, 31],
    ['TCP_MD5SIG', TCP, 6, 14],
    ['TCP_FASTOPEN_KEY', TCP, 6, 33],
    ['IP_OPTIONS', TCP, 0, 4],
    ['IP_IPSEC_POLICY', TCP, 0, 16],
    ['IP_XFRM_POLICY', TCP, 0, 17],
    ['IP_ADD_MEMBERSHIP', UDP6, 0, 35],
    ['MCAST_JOIN_GROUP', UDP6, 0, 42],
    ['IPT_SO_SET_REPLACE', TCP, 0, 64],
    ['IPV6_ADD_MEMBERSHIP', UDP6, 41, 20],
    ['IPV6_FLOWLABEL_MGR', UDP6, 41, 32],
    ['IPV6_RTHDR', UDP6, 41, 57],
    ['UDP_ENCAP', UDP6, 17, 100],
    ['PACKET_FANOUT', UDP6, 263, 18],
    ['TLS_TX', TCP, 282, 1],
  ];

  it('no program, layer or list is hung on a socket', async () => {
    const answers = await attacker.findings(
      `
libc = ctypes.CDLL(None, use_errno=True)
asked = inputs()
# A filter of one instruction that accepts all, and what else an option may be given in 128 bytes.
instruction = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0xffffffff))
value = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", 1, ctypes.addressof(instruction)), 128)
length = ctypes.c_uint(128)
def attempt(call, family, kind, level, option):
    s = socket.socket(family, kind)
    size = ctypes.byref(length) if call == asked["getsockopt"] else ctypes.c_long(16)
    made = libc.syscall(*[ctypes.c_long(n) for n in (call, s.fileno(), level, option)], value, size)
    return errno.errorcode.get(ctypes.get_errno(), "?") if made < 0 else "done"
print(json.dumps([[name, attempt(asked[call], *kind, level, option)] for call in ("setsockopt", "getsockopt") for name, kind, level, option in asked["options"]]))
`,
      {},
      { options: OPTIONS, setsockopt: numberOf('setsockopt'), getsockopt: numberOf('getsockopt') },
    );
    expect(answers).toHaveLength(2 * OPTIONS.length);
    expect(answers.filter(([, answer]: [string, string]) => answer !== 'ENOPROTOOPT')).toEqual([]);
  });
});

describe('calls that are on no list', () => {
  it('are unknown, whatever this kernel or the next one has', async () => {
    const answers = await attacker.findings(
      `
libc = ctypes.CDLL(None, use_errno=True)
def attempt(number):
    r, w = os.pipe()
    if os.fork() == 0:
        result = libc.syscall(*[ctypes.c_long(n) for n in (number, 0, 0, 0, 0, 0, 0)])
        os.write(w, errno.errorcode.get(ctypes.get_errno(), "?").encode() if result < 0 else b"done")
        os._exit(0)
    os.close(w); os.wait()
    try: return os.read(r, 99).decode() or "killed"
    finally: os.close(r)
print(json.dumps([[number, attempt(number)] for number in inputs()["numbers"]]))
`,
      {},
      { numbers: unknownNumbers() },
    );
    expect(answers.length).toBeGreaterThan(250);
    expect(answers.filter(([, answer]: [number, string]) => answer !== 'ENOSYS')).toEqual([]);
  });
});

describe('the machine', () => {
  const CALLS: [SystemCall, Argument[]][] = [
    ['kexec_load', []],
    ['kexec_file_load', [-1, -1]],
    ['init_module', ['', 0, '']],
    ['finit_module', [0, '']],
    ['delete_module', ['nothing', 0]],
    ['swapon', ['/tmp/x', 0]],
    ['swapoff', ['/tmp/x']],
    ['reboot', []],
    ['settimeofday', []],
    ['clock_settime', [0]],
    ['adjtimex', [ZEROS]],
    ['clock_adjtime', [0, ZEROS]],
    ['sethostname', ['mine', 4]],
    ['setdomainname', ['mine', 4]],
    ['iopl', [3]],
    ['ioperm', [0x80, 1, 1]],
    ['acct', []],
    ['quotactl', []],
    ['quotactl_fd', []],
    ['vhangup', []],
    ['syslog', [3, ZEROS, 64]],
    ['sync', []], // what others have written
    ['syncfs', [0]],
  ];

  it.each(CALLS.filter(exists))('%s(%j) is refused', async (name, args) => {
    expect(await call(numberOf(name)!, args)).toBe('EPERM');
  });
});

describe('typing into a terminal', () => {
  it.each([
    ['TIOCSTI', 0x5412],
    ['TIOCLINUX', 0x541c],
    ['TIOCSTI with an upper half that the kernel ignores', 2 ** 32 + 0x5412],
  ])('%s is refused', async (_, request) => {
    expect(await call(numberOf('ioctl')!, [0, request, 'x'])).toBe('ENOTTY');
  });

  it('there is none to type into', async () => {
    const answers = await attacker.findings(
      'print(json.dumps([refusal(os.open, path, os.O_RDWR) for path in ("/dev/tty", "/dev/console", "/dev/ptmx", "/dev/pts/0")]))',
    );
    expect(answers).toEqual(['ENOENT', 'ENOENT', 'ENOENT', 'ENOENT']);
  });
});

describe.runIf(process.arch === 'x64')('other tables of system calls', () => {
  /** Each asks for its process id in the way named, with a different number for a different table. */
  const MACHINE_CODE = `
import mmap
page = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 7)
page.write(bytes.fromhex(inputs()["code"]))
print(ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(page)))(), flush=True)
`;

  it('the machine code of these tests does work', async () => {
    // mov eax, 39 (getpid); syscall; ret
    const own = await attacker.findings(MACHINE_CODE, {}, { code: 'b8270000000f05c3' });
    expect(PROCESSES.map((all) => all.at(-1))).toContain(own);
  });

  it.each([
    ['32-bit calls (int 0x80)', 'b814000000cd80c3'],
    ['x32 calls', 'b8270000400f05c3'],
  ])('%s end the process', async (_, code) => {
    const end = await attacker.attempt(MACHINE_CODE, {}, { code });
    expect(end).toMatchObject({ status: 'failed', output: null });
    expect(end.error).toMatch(/^killed by SIGSYS/);
  });
});
