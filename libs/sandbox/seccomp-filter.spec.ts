import { constants } from 'node:os';
import { describe, expect, it } from 'vitest';
import { seccompFilter } from './seccomp-filter.js';
import { ALLOWED } from './allowed-calls.js';
import { numberOf, parseCalls } from './call-table.js';
import { CONDITIONAL, FORBIDDEN, UNCOUNTED_MEMORY } from './syscalls.js';

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const errno = (number: number): number => 0x00050000 + number;
const { EPERM, ENOSYS, EAFNOSUPPORT, EOPNOTSUPP, EPROTONOSUPPORT } = constants.errno;
const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;

/** Instructions that the latest decisions took. */
let steps = 0;

/** What the kernel would decide: an interpreter for the few instructions that the filter uses. */
function decide(filter: Buffer, architecture: number, number: number, args: number[] = []): number {
  const input = Buffer.alloc(64);
  input.writeUInt32LE(number >>> 0, 0);
  input.writeUInt32LE(architecture, 4);
  args.forEach((value, index) => input.writeUInt32LE(value >>> 0, 16 + 8 * index));
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
    const [allowed, forbidden] = [all(ALLOWED), all(FORBIDDEN)];
    for (let number = 0; number < 0x40000000; number = number < 2000 ? number + 1 : number * 2 + 1) {
      if (conditional.has(number)) continue;
      const expected = allowed.has(number) ? ALLOW : errno(forbidden.has(number) ? EPERM : ENOSYS);
      expect([number, ask(number)]).toEqual([number, expected]);
    }
  });

  it('has no number on two lists', () => {
    for (const number of all(ALLOWED)) if (number !== null) expect(all(FORBIDDEN)).not.toContain(number);
  });

  it('knows nothing that Linux got after 446, and none of the doors into the kernel', () => {
    for (const number of all(ALLOWED)) expect(number ?? 0).toBeLessThanOrEqual(446);
    for (const name of [
      'clone3',
      'io_uring_setup',
      'io_setup',
      'memfd_secret',
      'bpf',
      'userfaultfd',
      'unshare',
    ])
      expect(Object.keys(ALLOWED)).not.toContain(name);
  });

  it('takes few comparisons for any call', () => {
    // A tree, not a list: the kernel tries a filter once for each call when it is installed.
    expect(filter.length / 8).toBeLessThan(500);
    for (let number = 0; number < 600; number++) {
      steps = 0;
      ask(number);
      expect(steps).toBeLessThan(35);
    }
  });

  it('kills callers of another architecture', () => {
    expect(decide(filter, 0x40000003, 20)).toBe(KILL);
    expect(decide(filter, AUDIT[architecture === 'x64' ? 'arm64' : 'x64'], 0)).toBe(KILL);
    if (architecture === 'x64') expect(ask(0x40000000 + 1)).toBe(KILL);
  });

  it('looks at the arguments of the rest', () => {
    const [clone, socket, ioctl] = [
      CONDITIONAL.clone[index],
      CONDITIONAL.socket[index],
      CONDITIONAL.ioctl[index],
    ];
    expect(ask(clone ?? -1, [0x1200011])).toBe(ALLOW);
    expect(ask(clone ?? -1, [0x3d0f00])).toBe(ALLOW);
    expect(ask(clone ?? -1, [0x10000011])).toBe(errno(EPERM));
    expect(ask(ioctl ?? -1, [0, 0x5412])).toBe(errno(EPERM));
    expect(ask(ioctl ?? -1, [0, 0x5401])).toBe(ALLOW);
    expect(ask(socket ?? -1, [40, 1, 0])).toBe(errno(EAFNOSUPPORT));
    expect(ask(CONDITIONAL.mmap[index] ?? -1, [0, 4096, 3, 0x21])).toBe(ALLOW);
  });

  it.each([
    ['unix', 1, { 1: [0, 1], 2: [0, 1], 5: [0, 1] }],
    ['inet', 2, { 1: [0, 6], 2: [0, 17] }],
    ['inet6', 10, { 1: [0, 6], 2: [0, 17] }],
    ['netlink', 16, { 2: [0], 3: [0] }],
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
    expect([set(1, 2), set(1, 9), set(6, 7), set(6, 1), set(0, 8)]).toEqual(Array(5).fill(ALLOW));
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
