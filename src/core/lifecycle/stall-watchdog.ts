import { Worker } from 'node:worker_threads';

const MAX_STALL_MS = 30_000;
const BEAT_MS = 1_000;

/** What the thread is given: a number that grows for as long as the event loop turns. */
export interface Watched {
  beats: Int32Array;
  maxStallMs: number;
}

/**
 * Has a thread end the process when its event loop has stood still for half a minute. Nothing that the service does takes as long,
 * and whoever started the process starts it again: a hang becomes a restart, which loses nothing.
 */
export function endWhenStalled(maxStallMs = MAX_STALL_MS): void {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref();
  const workerData: Watched = { beats, maxStallMs };
  new Worker(new URL('stall-watchdog.thread.js', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  }).unref();
}
