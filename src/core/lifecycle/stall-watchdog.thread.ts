import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

import type { Watched } from './stall-watchdog.js';

const LOOK_MS = 5_000;
const STANDARD_ERROR = 2;

const { beats, maxStallMs } = workerData as Watched;
let last = Atomics.load(beats, 0);
let stalledMs = 0;

setInterval(() => {
  const now = Atomics.load(beats, 0);
  // Counted by looks, and not by the clock: a machine that slept, or a process that was stopped, does not hang.
  stalledMs = now === last ? stalledMs + LOOK_MS : 0;
  last = now;
  if (stalledMs < maxStallMs) return;
  writeSync(STANDARD_ERROR, `Gatehouse ends: its event loop stood still for ${stalledMs / 1000} seconds.\n`);
  process.kill(process.pid, 'SIGKILL');
}, LOOK_MS);
