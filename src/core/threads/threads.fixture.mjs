// What the threads of a test do.

export const twice = (number) => number * 2;

export function fail() {
  throw new Error('wrong in itself');
}

export function neverEnd() {
  for (;;);
}

export function takeMemory() {
  const taken = [];
  for (;;) taken.push({ number: taken.length });
}

export function sleep(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
