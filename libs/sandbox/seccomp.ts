import { constants } from 'node:os';
import { CONDITIONAL, FORBIDDEN, numberOf, UNCOUNTED_MEMORY, UNKNOWN, UNWRITTEN_SPACE } from './syscalls.js';
import type { SeccompArchitecture } from './syscalls.js';

/** Classic BPF (source: `linux/bpf_common.h`, `linux/seccomp.h`). */
interface Instruction {
  code: number;
  whenTrue: number;
  whenFalse: number;
  value: number;
}

const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const IF_ANY_BIT = 0x45;
const AND = 0x54;
const RETURN = 0x06;

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const failWith = (errno: number): number => 0x00050000 | errno;

const { EPERM, ENOSYS, EAFNOSUPPORT, EOPNOTSUPP, EPROTONOSUPPORT } = constants.errno;

/** Offsets in `struct seccomp_data`; of an argument, its lower half (both architectures are little-endian). */
const NUMBER = 0;
const ARCHITECTURE = 4;
const argument = (index: number): number => 16 + 8 * index;

const AUDIT_ARCHITECTURE: Record<SeccompArchitecture, number> = { x64: 0xc000003e, arm64: 0xc00000b7 };
/** On x86-64, numbers from here on are the x32 interface. */
const X32_BIT = 0x40000000;

/** CLONE_NEWTIME, NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const NEW_NAMESPACE =
  0x80 | 0x20000 | 0x2000000 | 0x4000000 | 0x8000000 | 0x10000000 | 0x20000000 | 0x40000000;
/** They put characters into a terminal's input. */
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
const NETLINK_ROUTE = 0;
const IPPROTO_TCP = 6;
const IPPROTO_UDP = 17;
const MAP_ANONYMOUS = 0x20;
const MAP_SHARED_BIT = 0x01;

/** What happens with one system call: a fixed answer, or instructions that look at its arguments. */
type Action = number | Instruction[];

const load = (offset: number): Instruction => ({ code: LOAD, whenTrue: 0, whenFalse: 0, value: offset });
const answer = (value: number): Instruction => ({ code: RETURN, whenTrue: 0, whenFalse: 0, value });
const when = (code: number, value: number, whenTrue: number, whenFalse: number): Instruction => ({
  code,
  whenTrue,
  whenFalse,
  value,
});

const CLONE: Instruction[] = [
  load(argument(0)),
  when(IF_ANY_BIT, NEW_NAMESPACE, 0, 1),
  answer(failWith(EPERM)),
  answer(ALLOW),
];

const IOCTL: Instruction[] = [
  load(argument(1)),
  when(IF_EQUAL, TIOCSTI, 1, 0),
  when(IF_EQUAL, TIOCLINUX, 0, 1),
  answer(failWith(EPERM)),
  answer(ALLOW),
];

/** VSOCK ignores network namespaces, PACKET, ALG and the like are doors into the kernel: only what scripts use. */
const SOCKET: Instruction[] = [
  load(argument(0)),
  when(IF_EQUAL, AF_UNIX, 10, 0),
  when(IF_EQUAL, AF_INET, 5, 0),
  when(IF_EQUAL, AF_INET6, 4, 0),
  when(IF_EQUAL, AF_NETLINK, 0, 2),
  load(argument(2)),
  when(IF_EQUAL, NETLINK_ROUTE, 5, 6),
  answer(failWith(EAFNOSUPPORT)),
  load(argument(2)),
  when(IF_EQUAL, 0, 2, 0),
  when(IF_EQUAL, IPPROTO_TCP, 1, 0),
  when(IF_EQUAL, IPPROTO_UDP, 0, 1),
  answer(ALLOW),
  answer(failWith(EPROTONOSUPPORT)),
];

/** Shared anonymous memory is counted for no process. */
const MMAP: Instruction[] = [
  load(argument(3)),
  { code: AND, whenTrue: 0, whenFalse: 0, value: MAP_ANONYMOUS | MAP_SHARED_BIT },
  when(IF_EQUAL, MAP_ANONYMOUS | MAP_SHARED_BIT, 0, 1),
  answer(failWith(EPERM)),
  answer(ALLOW),
];

/** What a filter is for. */
export interface FilterPurpose {
  /** False where no cgroup limits memory: memory that belongs to no heap is then refused. */
  memoryIsCounted: boolean;
  /** The box can write to a disk of the host, where space must not be taken faster than it is written. */
  writesToDisk: boolean;
}

function actions(
  architecture: SeccompArchitecture,
  { memoryIsCounted, writesToDisk }: FilterPurpose,
): Map<number, Action> {
  const found = new Map<number, Action>();
  const refuse = (calls: typeof FORBIDDEN, errno: number): void => {
    for (const numbers of Object.values(calls)) {
      const number = numberOf(numbers, architecture);
      if (number !== null) found.set(number, failWith(errno));
    }
  };
  refuse(FORBIDDEN, EPERM);
  refuse(UNKNOWN, ENOSYS);
  if (!memoryIsCounted) refuse(UNCOUNTED_MEMORY, ENOSYS);
  if (writesToDisk) refuse(UNWRITTEN_SPACE, EOPNOTSUPP);
  const index = architecture === 'x64' ? 0 : 1;
  found.set(CONDITIONAL.clone[index], CLONE);
  found.set(CONDITIONAL.ioctl[index], IOCTL);
  found.set(CONDITIONAL.socket[index], SOCKET);
  found.set(CONDITIONAL.socketpair[index], SOCKET);
  if (!memoryIsCounted) found.set(CONDITIONAL.mmap[index], MMAP);
  return found;
}

/** A stretch of numbers with the same action, up to the next one's start. */
interface Interval {
  from: number;
  action: Action;
}

function intervals(table: Map<number, Action>): Interval[] {
  const result: Interval[] = [{ from: 0, action: ALLOW }];
  const add = (from: number, action: Action): void => {
    const last = result[result.length - 1];
    if (last?.from === from) last.action = action;
    else if (last?.action !== action) result.push({ from, action });
  };
  for (const [number, action] of [...table].sort(([a], [b]) => a - b)) {
    add(number, action);
    add(number + 1, ALLOW);
  }
  return result;
}

/**
 * A balanced tree of comparisons. The kernel tries a new filter once for each system call there is, to learn which are
 * always allowed; with a list of comparisons that alone would cost a tenth of a millisecond for each run.
 */
function decide(list: Interval[]): Instruction[] {
  const middle = list[list.length >> 1];
  if (list.length === 1 || !middle) {
    const action = list[0]?.action ?? KILL_PROCESS;
    return typeof action === 'number' ? [answer(action)] : action;
  }
  const below = decide(list.slice(0, list.length >> 1));
  const atLeast = decide(list.slice(list.length >> 1));
  if (below.length > 255) throw new RangeError('the seccomp filter has grown too large for one jump');
  return [when(IF_AT_LEAST, middle.from, below.length, 0), ...below, ...atLeast];
}

/**
 * The box's system call filter.
 * @param architecture `process.arch` of the machine; throws for any other than x64 and arm64.
 * @returns a cBPF program (`struct sock_filter[]`, little-endian), as bubblewrap's `--seccomp` reads it.
 */
export function seccompFilter(architecture: string, purpose: FilterPurpose): Buffer {
  if (architecture !== 'x64' && architecture !== 'arm64') {
    throw new RangeError(
      `there is no system call filter for the ${architecture} architecture, only for x64 and arm64`,
    );
  }
  const program = [
    load(ARCHITECTURE),
    // Anything else is a 32-bit call, whose numbers mean something different.
    when(IF_EQUAL, AUDIT_ARCHITECTURE[architecture], 1, 0),
    answer(KILL_PROCESS),
    load(NUMBER),
    ...(architecture === 'x64' ? [when(IF_AT_LEAST, X32_BIT, 0, 1), answer(KILL_PROCESS)] : []),
    ...decide(intervals(actions(architecture, purpose))),
  ];
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(({ code, whenTrue, whenFalse, value }, index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(whenTrue, index * 8 + 2);
    bytes.writeUInt8(whenFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  });
  return bytes;
}
