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
const JUMP = 0x05;
const AND = 0x54;
const RETURN = 0x06;
/** Verdicts. */
export const ALLOW = 0x7fff0000;
export const KILL_PROCESS = 0x80000000;
export const failWith = (errno: number): number => 0x00050000 | errno;
/** The call is not made, and its caller is told that it succeeded. */
export const PRETEND = failWith(0);

/** How far a comparison can jump. */
const MAX_STEP = 255;

/** Offsets in `struct seccomp_data`; of an argument, its lower half (both architectures are little-endian). */
export const NUMBER = 0;
export const ARCHITECTURE = 4;
const argument = (index: number): number => 16 + 8 * index;

export const load = (offset: number): Instruction => ({
  code: LOAD,
  whenTrue: 0,
  whenFalse: 0,
  value: offset,
});
export const verdict = (value: number): Instruction => ({ code: RETURN, whenTrue: 0, whenFalse: 0, value });
const compare = (code: number, value: number, whenTrue: number, whenFalse: number): Instruction => ({
  code,
  whenTrue,
  whenFalse,
  value,
});

/** Goes on with `then` where the loaded value is one of these, otherwise behind it. `then` must end in a verdict. */
function whenOneOf(values: readonly number[], then: Instruction[]): Instruction[] {
  const tests = values.map((value, index) => {
    const left = values.length - 1 - index;
    return compare(IF_EQUAL, value, left, left === 0 ? then.length : 0);
  });
  return [...tests, ...then];
}

/** Goes on with `then` where the loaded value is at least this, otherwise behind it. */
export const whenAtLeast = (value: number, then: Instruction[]): Instruction[] => [
  compare(IF_AT_LEAST, value, 0, then.length),
  ...then,
];

export const unlessEqual = (value: number, then: Instruction[]): Instruction[] => [
  compare(IF_EQUAL, value, then.length, 0),
  ...then,
];

/** A decision by the arguments of a call, which the kernel takes as 32 bits each. */
export interface Choice {
  argument: number;
  /** Only these bits of it. */
  mask?: number;
  cases: { values: readonly number[]; then: Action }[];
  otherwise: number;
}

/** What happens with one system call: a fixed verdict, or one that depends on its arguments. */
export type Action = number | Choice;

function compile(action: Action): Instruction[] {
  if (typeof action === 'number') return [verdict(action)];
  const { mask, cases, otherwise } = action;
  return [
    load(argument(action.argument)),
    ...(mask === undefined ? [] : [{ code: AND, whenTrue: 0, whenFalse: 0, value: mask }]),
    ...cases.flatMap(({ values, then }) => whenOneOf(values, compile(then))),
    verdict(otherwise),
  ];
}

/** A stretch of numbers with the same action, up to the next one's start. */
interface Interval {
  from: number;
  action: Action;
}

function intervals(table: ReadonlyMap<number, Action>, otherwise: number): Interval[] {
  const result: Interval[] = [{ from: 0, action: otherwise }];
  const add = (from: number, action: Action): void => {
    const last = result[result.length - 1];
    if (last?.from === from) {
      last.action = action;
      if (result[result.length - 2]?.action === action) result.pop();
    } else if (last?.action !== action) result.push({ from, action });
  };
  for (const [number, action] of [...table].sort(([a], [b]) => a - b)) {
    add(number, action);
    add(number + 1, otherwise);
  }
  return result;
}

/**
 * A balanced tree of comparisons. The kernel tries a new filter once for each system call there is, to learn which are
 * always allowed; with a list of comparisons that alone would cost a tenth of a millisecond for each run.
 */
function decide(list: readonly Interval[]): Instruction[] {
  const [first] = list;
  const middle = list[list.length >> 1];
  if (!first || !middle) throw new RangeError('a filter has at least one verdict');
  if (list.length === 1) return compile(first.action);
  const below = decide(list.slice(0, list.length >> 1));
  const atLeast = decide(list.slice(list.length >> 1));
  const skip =
    below.length <= MAX_STEP
      ? [compare(IF_AT_LEAST, middle.from, below.length, 0)]
      : [compare(IF_AT_LEAST, middle.from, 0, 1), compare(JUMP, below.length, 0, 0)];
  return [...skip, ...below, ...atLeast];
}

/** Decides by the loaded number of a call; all that the table does not have get `otherwise`. */
export const decideByNumber = (table: ReadonlyMap<number, Action>, otherwise: number): Instruction[] =>
  decide(intervals(table, otherwise));

/** As the kernel reads it: `struct sock_filter[]`, little-endian. */
export function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(({ code, whenTrue, whenFalse, value }, index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(whenTrue, index * 8 + 2);
    bytes.writeUInt8(whenFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  });
  return bytes;
}
