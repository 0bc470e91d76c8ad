import { constants } from 'node:os';
import { describe, expect, it } from 'vitest';
import { seccompFilter } from './seccomp.js';
import { CONDITIONAL, FORBIDDEN, numberOf, UNCOUNTED_MEMORY, UNKNOWN } from './syscalls.js';

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const errno = (number: number): number => 0x00050000 + number;
const { EPERM, ENOSYS, EAFNOSUPPORT } = constants.errno;
const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;

/** What the kernel would answer: an interpreter for the few instructions that the filter uses. */
function decide(filter: Buffer, architecture: number, number: number, args: number[] = []): number {
  const input = Buffer.alloc(64);
  input.writeUInt32LE(number >>> 0, 0);
  input.writeUInt32LE(architecture, 4);
  args.forEach((value, index) => input.writeUInt32LE(value >>> 0, 16 + 8 * index));
  let accumulator = 0;
  for (let at = 0; at < filter.length; at += 8) {
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
  const refused = new Set<number | null>(
    [...Object.values(FORBIDDEN), ...Object.values(UNKNOWN)].map((n) => n[index]),
  );
  const conditional = new Set<number>(Object.values(CONDITIONAL).map((n) => n[index]));

  it('answers each call as its table says', () => {
    for (const numbers of Object.values(FORBIDDEN)) {
      const number = numberOf(numbers, architecture);
      if (number !== null) expect([number, ask(number)]).toEqual([number, errno(EPERM)]);
    }
    for (const numbers of Object.values(UNKNOWN)) {
      const number = numberOf(numbers, architecture);
      if (number !== null) expect([number, ask(number)]).toEqual([number, errno(ENOSYS)]);
    }
  });

  it('allows every other', () => {
    for (let number = 0; number < 500; number++) {
      if (!refused.has(number) && !conditional.has(number))
        expect([number, ask(number)]).toEqual([number, ALLOW]);
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
    expect(ask(clone, [0x1200011])).toBe(ALLOW);
    expect(ask(clone, [0x3d0f00])).toBe(ALLOW);
    expect(ask(clone, [0x10000011])).toBe(errno(EPERM));
    expect(ask(ioctl, [0, 0x5412])).toBe(errno(EPERM));
    expect(ask(ioctl, [0, 0x5401])).toBe(ALLOW);
    expect(ask(socket, [1, 1, 0])).toBe(ALLOW);
    expect(ask(socket, [2, 1, 6])).toBe(ALLOW);
    expect(ask(socket, [10, 2, 17])).toBe(ALLOW);
    expect(ask(socket, [40, 1, 0])).toBe(errno(EAFNOSUPPORT));
    expect(ask(CONDITIONAL.mmap[index], [0, 4096, 3, 0x21])).toBe(ALLOW);
  });

  it('refuses memory that nobody counts where no cgroup counts', () => {
    for (const numbers of Object.values(UNCOUNTED_MEMORY)) {
      expect(ask(numberOf(numbers, architecture) ?? -1)).toBe(ALLOW);
      expect(ask(numberOf(numbers, architecture) ?? -1, [], reduced)).toBe(errno(ENOSYS));
    }
    const mmap = (flags: number): number => ask(CONDITIONAL.mmap[index], [0, 4096, 3, flags], reduced);
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
  it('exists for two architectures', () => {
    expect(() => seccompFilter('riscv64', { memoryIsCounted: true, writesToDisk: false })).toThrow(/riscv64/);
  });
});
