import { beforeAll, describe, expect, it } from 'vitest';

import {
  type CallArgument,
  DOORS,
  exists,
  MOUNTS,
  NEW_NAMESPACES,
  numberOf,
  OTHER_PROCESSES,
  type RefusedCall,
  type SystemCall,
  TRY_CALLS,
  unknownNumbers,
} from '../../libs/attacks/index.js';
import type { TestScript } from '../support/scripts.js';
import { anAttacker, PROCESSES } from './support/attack.js';

const attacker = anAttacker();
let caller: TestScript;

const ZEROS = null;

/** Calls the kernel as asked, in a child since some calls kill, and returns `name of the errno` or `done`. */
beforeAll(async () => {
  caller = await attacker.script(TRY_CALLS);
});

async function call(number: number, args: CallArgument[]): Promise<unknown> {
  const calls = [[number, ...[...args, 0, 0, 0, 0, 0, 0].slice(0, 6)]];
  const end = await attacker.run(caller, { calls });
  expect(end).toMatchObject({ status: 'succeeded' });
  return end.output[0];
}

const refused = async ([name, args, answer]: RefusedCall): Promise<void> =>
  expect(await call(numberOf(name)!, args)).toBe(answer);

describe('namespaces', () => {
  it.each(NEW_NAMESPACES)('none is made by %s(%j)', (...each) => refused(each));

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
  it.each(MOUNTS)('%s(%j) is refused', (...each) => refused(each));
});

describe('other processes', () => {
  it.each(OTHER_PROCESSES)('%s(%j) is refused', (...each) => refused(each));

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
  it.each(DOORS.filter(exists))('%s(%j) is refused', (...each) => refused(each));
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
    const numbers = unknownNumbers();
    const answers: string[] = await attacker.findings(
      TRY_CALLS,
      {},
      { calls: numbers.map((number) => [number, 0, 0, 0, 0, 0, 0]) },
    );
    expect(answers.length).toBeGreaterThan(250);
    expect(numbers.filter((_, index) => answers[index] !== 'ENOSYS')).toEqual([]);
  });
});

describe('the machine', () => {
  const CALLS: [SystemCall, CallArgument[]][] = [
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
