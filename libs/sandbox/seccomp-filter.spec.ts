import { constants } from 'node:os';
import { describe, expect, it } from 'vitest';
import { seccompFilter } from './seccomp-filter.js';
import { ALLOWED } from './allowed-calls.js';
import { numberOf, parseCalls } from './call-table.js';
import { ATTRIBUTES, CONDITIONAL, FORBIDDEN, UNCOUNTED_MEMORY, WITHOUT_EFFECT } from './syscalls.js';

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const errno = (number: number): number => 0x00050000 + number;
const { EPERM, EINVAL, ENOMEM, ENOPROTOOPT, ENOSYS, ENOTTY, EAFNOSUPPORT, EOPNOTSUPP, EPROTONOSUPPORT } =
  constants.errno;
const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;

/** Instructions that the latest decisions took. */
let steps = 0;

/** What the kernel would decide: an interpreter for the few instructions that the filter uses. */
function decide(filter: Buffer, architecture: number, number: number, args: number[] = []): number {
  const input = Buffer.alloc(64);
  input.writeUInt32LE(number >>> 0, 0);
  input.writeUInt32LE(architecture, 4);
  // Both halves: what a register holds above 32 bits is there for the filter to be fooled by.
  args.forEach((value, index) => input.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)), 16 + 8 * index));
  let accumulator = 0;
  for (let at = 0; at < filter.length; at += 8) {
    steps++;
    const value = filter.readUInt32LE(at + 4);
    const jump = (condition: boolean): void => {
      at += 8 * filter.readUInt8(at + (condition ? 2 : 3));
    };
    switch (filter.readUInt16LE(at)) {
      case 0x20:
        accumulator = input.readUInt32LE(value);
        break;
      case 0x54:
        accumulator = (accumulator & value) >>> 0;
        break;
      case 0x05:
        at += 8 * value;
        break;
      case 0x15:
        jump(accumulator === value);
        break;
      case 0x35:
        jump(accumulator >= value);
        break;
      case 0x45:
        jump((accumulator & value) !== 0);
        break;
      case 0x06:
        return value;
      default:
        throw new Error('an instruction that the kernel would refuse');
    }
  }
  throw new Error('the filter has no end');
}

describe.each(['x64', 'arm64'] as const)('the system call filter for %s', (architecture) => {
  const filter = seccompFilter(architecture, { memoryIsCounted: true, writesToDisk: false });
  const reduced = seccompFilter(architecture, { memoryIsCounted: false, writesToDisk: true });
  const index = architecture === 'x64' ? 0 : 1;
  const ask = (number: number, args?: number[], which = filter): number =>
    decide(which, AUDIT[architecture], number, args);
  const all = (table: typeof ALLOWED): Set<number | null> =>
    new Set(Object.values(table).map((numbers) => numberOf(numbers, architecture)));
  const conditional = all(CONDITIONAL);

  it('allows what is on its list, and refuses every other number with ENOSYS', () => {
    const [allowed, forbidden, ineffective] = [all(ALLOWED), all(FORBIDDEN), all(WITHOUT_EFFECT)];
    const attributes = all(ATTRIBUTES);
    for (let number = 0; number < 0x40000000; number = number < 2000 ? number + 1 : number * 2 + 1) {
      if (conditional.has(number)) continue;
      const refusal = attributes.has(number) ? errno(EOPNOTSUPP) : ALLOW;
      const allowance = ineffective.has(number) ? errno(0) : refusal;
      const expected = allowed.has(number) ? allowance : errno(forbidden.has(number) ? EPERM : ENOSYS);
      expect([number, ask(number)]).toEqual([number, expected]);
    }
  });

  it('has no number on two lists', () => {
    for (const number of all(ALLOWED)) if (number !== null) expect(all(FORBIDDEN)).not.toContain(number);
  });

  it('knows nothing that Linux got after 441, and none of the doors into the kernel', () => {
    for (const number of all(ALLOWED)) expect(number ?? 0).toBeLessThanOrEqual(441);
    for (const name of [
      'clone3',
      'io_uring_setup',
      'io_setup',
      'memfd_secret',
      'bpf',
      'userfaultfd',
      'unshare',
      'seccomp',
      'inotify_init1',
      'landlock_create_ruleset',
    ])
      expect(Object.keys(ALLOWED)).not.toContain(name);
  });

  it('takes few comparisons for any call', () => {
    // A tree, not a list: the kernel tries a filter once for each call when it is installed.
    expect(filter.length / 8).toBeLessThan(600);
    for (let number = 0; number < 600; number++) {
      steps = 0;
      ask(number);
      expect(steps).toBeLessThan(45);
    }
  });

  it('kills callers of another architecture', () => {
    expect(decide(filter, 0x40000003, 20)).toBe(KILL);
    expect(decide(filter, AUDIT[architecture === 'x64' ? 'arm64' : 'x64'], 0)).toBe(KILL);
    if (architecture === 'x64') expect(ask(0x40000000 + 1)).toBe(KILL);
  });

  it('looks at the arguments of the rest', () => {
    const call = (name: keyof typeof CONDITIONAL, ...args: number[]): number =>
      ask(CONDITIONAL[name][index] ?? -1, args);
    expect(call('clone', 0x1200011)).toBe(ALLOW);
    expect(call('clone', 0x3d0f00)).toBe(ALLOW);
    expect(call('clone', 0x10000011)).toBe(errno(EPERM));
    expect(call('ioctl', 0, 0x5421)).toBe(ALLOW);
    for (const request of [0x5401, 0x5412, 0x541c, 0x40049409])
      expect(call('ioctl', 0, request)).toBe(errno(ENOTTY));
    expect(call('socket', 40, 1, 0)).toBe(errno(EAFNOSUPPORT));
    expect(call('mmap', 0, 4096, 3, 0x21)).toBe(ALLOW);
    for (const command of [0, 1, 2, 3, 4, 5, 6, 7, 1030]) expect(call('fcntl', 3, command)).toBe(ALLOW);
    for (const command of [36, 37, 38, 1024, 1026, 1031])
      expect(call('fcntl', 3, command)).toBe(errno(EINVAL));
    expect(call('prctl', 15)).toBe(ALLOW);
    for (const option of [21, 22, 24, 28, 47, 62, 0x53564d41, 78])
      expect(call('prctl', option)).toBe(errno(EINVAL));
    for (const name of ['preadv2', 'pwritev2'] as const) {
      expect(call(name, 3, 0, 1, 0, 0, 0)).toBe(ALLOW);
      expect(call(name, 3, 0, 1, 0, 0, 8)).toBe(errno(EOPNOTSUPP));
    }
    expect([call('msync', 0, 4096, 1), call('msync', 0, 4096, 4), call('msync', 0, 4096, 6)]).toEqual([
      ALLOW,
      errno(0),
      errno(0),
    ]);
    expect([call('madvise', 0, 4096, 4), call('madvise', 0, 4096, 12)]).toEqual([ALLOW, errno(EINVAL)]);
  });

  it('gives no huge pages, whatever else is asked for', () => {
    const call = (name: keyof typeof CONDITIONAL, ...args: number[]): number =>
      ask(CONDITIONAL[name][index] ?? -1, args);
    for (const flags of [0x40000, 0x40001, 0x40022, 0x40021, 0x54040022])
      expect(call('mmap', 0, 4096, 3, flags)).toBe(errno(ENOMEM));
    expect([call('memfd_create', 0, 1), call('memfd_create', 0, 5)]).toEqual([ALLOW, errno(ENOMEM)]);
    expect([call('shmget', 0, 1, 0o1600), call('shmget', 0, 1, 0o5600)]).toEqual([ALLOW, errno(ENOMEM)]);
  });

  it('is not fooled by upper halves that the kernel ignores', () => {
    const UPPER = 2 ** 32;
    for (const [name, ...args] of [
      ['ioctl', 0, UPPER + 0x5412],
      ['fcntl', 3, UPPER + 1024],
      ['prctl', UPPER + 22],
      ['setsockopt', 3, UPPER + 1, UPPER + 26],
      ['setsockopt', 3, 1, UPPER + 26],
      ['getsockopt', 3, 1, UPPER + 26],
      ['mmap', 0, 4096, 3, UPPER + 0x40022],
      ['preadv2', 3, 0, 1, 0, 0, UPPER + 8],
      ['socket', UPPER + 16, 3, 0],
    ] as [keyof typeof CONDITIONAL, ...number[]][])
      expect([name, ask(CONDITIONAL[name][index] ?? -1, args)]).not.toEqual([name, ALLOW]);
  });

  it('lets sockets have the usual options only, at the usual levels', () => {
    const set = (level: number, name: number): number =>
      ask(CONDITIONAL.setsockopt[index] ?? -1, [3, level, name]);
    const get = (level: number, name: number): number =>
      ask(CONDITIONAL.getsockopt[index] ?? -1, [3, level, name]);
    for (const [level, name] of [
      [1, 26], // SO_ATTACH_FILTER
      [1, 50], // SO_ATTACH_BPF
      [1, 51], // SO_ATTACH_REUSEPORT_CBPF
      [1, 52], // SO_ATTACH_REUSEPORT_EBPF
      [1, 32], // SO_SNDBUFFORCE
      [1, 60], // SO_ZEROCOPY
      [1, 73], // SO_RESERVE_MEM
      [6, 14], // TCP_MD5SIG
      [6, 31], // TCP_ULP
      [6, 35], // TCP_ZEROCOPY_RECEIVE
      [0, 16], // IP_IPSEC_POLICY
      [0, 35], // IP_ADD_MEMBERSHIP
      [0, 64], // IPT_SO_SET_REPLACE
      [41, 20], // IPV6_ADD_MEMBERSHIP
      [41, 32], // IPV6_FLOWLABEL_MGR
      [17, 100], // UDP_ENCAP
      [263, 18], // PACKET_FANOUT
      [270, 1], // NETLINK_ADD_MEMBERSHIP
      [282, 1], // TLS_TX
    ] as const)
      expect([level, name, set(level, name), get(level, name)]).toEqual([
        level,
        name,
        errno(ENOPROTOOPT),
        errno(ENOPROTOOPT),
      ]);
    expect([get(1, 7), get(1, 8), get(1, 4), get(6, 11)]).toEqual(Array(4).fill(ALLOW));
  });

  it.each([
    ['unix', 1, { 1: [0, 1], 2: [0, 1], 5: [0, 1] }],
    ['inet', 2, { 1: [0, 6], 2: [0, 17] }],
    ['inet6', 10, { 1: [0, 6], 2: [0, 17] }],
  ] as [string, number, Record<number, number[]>][])(
    'lets sockets of %s be of the usual types and protocols only',
    (_, family, types) => {
      const FLAGS = [0, 0x800, 0x80000, 0x80800];
      const [socket, socketpair] = [CONDITIONAL.socket[index] ?? -1, CONDITIONAL.socketpair[index] ?? -1];
      let wrong = 0;
      for (let type = 0; type < 16; type++) {
        for (let protocol = 0; protocol < 300; protocol++) {
          const expected = types[type]?.includes(protocol) ? ALLOW : errno(EPROTONOSUPPORT);
          for (const flags of FLAGS)
            wrong += Number(ask(socket, [family, type | flags, protocol]) !== expected);
          const pair = ask(socketpair, [family, type, protocol]);
          wrong += Number(pair !== (family === 1 ? expected : errno(EAFNOSUPPORT)));
        }
      }
      expect(wrong).toBe(0);
    },
  );

  it('lets no socket have larger buffers than its namespace gives, and says nothing of it', () => {
    const set = (level: number, name: number): number =>
      ask(CONDITIONAL.setsockopt[index] ?? -1, [3, level, name]);
    expect([set(1, 7), set(1, 8)]).toEqual([errno(0), errno(0)]);
    expect([set(1, 2), set(1, 9), set(6, 7), set(6, 1), set(0, 8), set(41, 26)]).toEqual(
      Array(6).fill(ALLOW),
    );
  });

  it('refuses memory that nobody counts where no cgroup counts', () => {
    for (const numbers of Object.values(UNCOUNTED_MEMORY)) {
      expect(ask(numberOf(numbers, architecture) ?? -1)).toBe(ALLOW);
      expect(ask(numberOf(numbers, architecture) ?? -1, [], reduced)).toBe(errno(ENOSYS));
    }
    expect(ask(numberOf(ALLOWED['fallocate']!, architecture)!, [], reduced)).toBe(errno(EOPNOTSUPP));
    const mmap = (flags: number): number => ask(CONDITIONAL.mmap[index] ?? -1, [0, 4096, 3, flags], reduced);
    expect([mmap(0x21), mmap(0x23), mmap(0x22), mmap(0x01), mmap(0x20022)]).toEqual([
      errno(EPERM),
      errno(EPERM),
      ALLOW,
      ALLOW,
      ALLOW,
    ]);
  });
});

describe('the system call filter', () => {
  it('is made from tables without mistakes', () => {
    expect(parseCalls('read 0 63, open 2 -')).toEqual({ read: [0, 63], open: [2, null] });
    for (const text of ['read 0', 'read 0 63, read 1 64', 'read 0 63, write 0 64', 'read zero 63'])
      expect(() => parseCalls(text)).toThrow(TypeError);
  });

  it('exists for two architectures', () => {
    expect(() => seccompFilter('riscv64', { memoryIsCounted: true, writesToDisk: false })).toThrow(/riscv64/);
  });
});
