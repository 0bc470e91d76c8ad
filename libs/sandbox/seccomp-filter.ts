import { constants } from 'node:os';
import {
  FCNTL,
  GETSOCKOPT,
  IOCTL,
  MADVISE,
  MEMFD_CREATE,
  mmapChoice,
  MSYNC,
  PRCTL,
  READ_OR_WRITE,
  SETSOCKOPT,
  SHMGET,
} from './allowed-arguments.js';
import { ALLOWED } from './allowed-calls.js';
import { numberOf } from './call-table.js';
import type { CallTable, SeccompArchitecture } from './call-table.js';
import {
  ALLOW,
  ARCHITECTURE,
  decideByNumber,
  encode,
  failWith,
  KILL_PROCESS,
  load,
  NUMBER,
  PRETEND,
  unlessEqual,
  verdict,
  whenAtLeast,
} from './filter-program.js';
import type { Action, Choice } from './filter-program.js';
import {
  ATTRIBUTES,
  CONDITIONAL,
  FORBIDDEN,
  UNCOUNTED_MEMORY,
  UNWRITTEN_SPACE,
  WITHOUT_EFFECT,
} from './syscalls.js';

const { EPERM, ENOSYS, EAFNOSUPPORT, EOPNOTSUPP, EPROTONOSUPPORT } = constants.errno;

const AUDIT_ARCHITECTURE: Record<SeccompArchitecture, number> = { x64: 0xc000003e, arm64: 0xc00000b7 };
/** On x86-64, numbers from here on are the x32 interface. */
const X32_BIT = 0x40000000;

/** CLONE_NEWTIME, NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const NEW_NAMESPACE =
  0x80 | 0x20000 | 0x2000000 | 0x4000000 | 0x8000000 | 0x10000000 | 0x20000000 | 0x40000000;
const CLONE: Choice = {
  argument: 0,
  mask: NEW_NAMESPACE,
  cases: [{ values: [0], then: ALLOW }],
  otherwise: failWith(EPERM),
};

const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const STREAM = 1;
const DATAGRAM = 2;
const SEQUENCED_PACKET = 5;
const IPPROTO_TCP = 6;
const IPPROTO_UDP = 17;

/** The type is the lower bits; SOCK_CLOEXEC and SOCK_NONBLOCK stand above it. */
const byType = (cases: Choice['cases']): Choice => ({
  argument: 1,
  mask: 0xf,
  cases,
  otherwise: failWith(EPROTONOSUPPORT),
});
const byProtocol = (...values: number[]): Choice => ({
  argument: 2,
  cases: [{ values, then: ALLOW }],
  otherwise: failWith(EPROTONOSUPPORT),
});

const UNIX_SOCKET = {
  values: [AF_UNIX],
  then: byType([{ values: [STREAM, DATAGRAM, SEQUENCED_PACKET], then: byProtocol(0, AF_UNIX) }]),
};

/**
 * Only what scripts use, by family, type and protocol. VSOCK ignores network namespaces; PACKET, ALG, MPTCP, DCCP, SCTP and the like
 * are doors into the kernel. The kernel holds NETLINK's replies and counts them for nobody, so `addresses/` stands in for it.
 */
const SOCKET: Choice = {
  argument: 0,
  cases: [
    UNIX_SOCKET,
    {
      values: [AF_INET, AF_INET6],
      then: byType([
        { values: [STREAM], then: byProtocol(0, IPPROTO_TCP) },
        { values: [DATAGRAM], then: byProtocol(0, IPPROTO_UDP) },
      ]),
    },
  ],
  otherwise: failWith(EAFNOSUPPORT),
};

const SOCKETPAIR: Choice = { argument: 0, cases: [UNIX_SOCKET], otherwise: failWith(EAFNOSUPPORT) };

const choices = (memoryIsCounted: boolean): Record<keyof typeof CONDITIONAL, Choice> => ({
  clone: CLONE,
  socket: SOCKET,
  socketpair: SOCKETPAIR,
  setsockopt: SETSOCKOPT,
  getsockopt: GETSOCKOPT,
  ioctl: IOCTL,
  fcntl: FCNTL,
  prctl: PRCTL,
  mmap: mmapChoice(memoryIsCounted),
  memfd_create: MEMFD_CREATE,
  shmget: SHMGET,
  madvise: MADVISE,
  msync: MSYNC,
  preadv2: READ_OR_WRITE,
  pwritev2: READ_OR_WRITE,
});

interface FilterPurpose {
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
  const put = (calls: CallTable, action: Action): void => {
    for (const numbers of Object.values(calls)) {
      const number = numberOf(numbers, architecture);
      if (number !== null) found.set(number, action);
    }
  };
  put(ALLOWED, ALLOW);
  put(FORBIDDEN, failWith(EPERM));
  put(ATTRIBUTES, failWith(EOPNOTSUPP));
  if (writesToDisk) put(UNWRITTEN_SPACE, failWith(EOPNOTSUPP));
  put(WITHOUT_EFFECT, PRETEND);
  for (const [name, choice] of Object.entries(choices(memoryIsCounted)))
    put({ [name]: CONDITIONAL[name as keyof typeof CONDITIONAL] }, choice);
  if (!memoryIsCounted) put(UNCOUNTED_MEMORY, failWith(ENOSYS));
  return found;
}

/**
 * The box's system call filter, a list of what is allowed.
 * @param architecture `process.arch` of the machine; throws for any other than x64 and arm64.
 * @returns a cBPF program (`struct sock_filter[]`, little-endian), as bubblewrap's `--seccomp` reads it.
 */
export function seccompFilter(architecture: string, purpose: FilterPurpose): Buffer {
  if (architecture !== 'x64' && architecture !== 'arm64') {
    throw new RangeError(
      `there is no system call filter for the ${architecture} architecture, only for x64 and arm64`,
    );
  }
  return encode([
    load(ARCHITECTURE),
    // Anything else is a 32-bit call, whose numbers mean something different.
    ...unlessEqual(AUDIT_ARCHITECTURE[architecture], [verdict(KILL_PROCESS)]),
    load(NUMBER),
    ...(architecture === 'x64' ? whenAtLeast(X32_BIT, [verdict(KILL_PROCESS)]) : []),
    ...decideByNumber(actions(architecture, purpose), failWith(ENOSYS)),
  ]);
}
