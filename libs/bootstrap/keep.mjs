import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { nodePath } from './node.mjs';
import { root } from './project.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** It stopped in order, or has said why it does not start: another start would end the same. */
const FINAL_CODES = [0, 1];
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** Megabytes for what is young. Newer versions of Node take four times as much and are no faster for it here. */
const NODE_OPTIONS = ['--max-semi-space-size=16'];
/** What lived so long has failed anew, and not again. */
const STEADY_MS = 60_000;

/**
 * Runs a program until it ends by itself, and starts it again whenever something ended it: a crash, too little memory, an error
 * that nothing handled. Signals to us are passed on. It is told, by the end of its channel, should we be killed.
 *
 * @param {string} program
 * @param {{ firstWaitMs?: number }} [options]
 * @returns {Promise<number>} its last exit code
 */
export async function keepRunning(program, { firstWaitMs = FIRST_WAIT_MS } = {}) {
  const stopped = new AbortController();
  let child;
  const passOn = (signal) => {
    stopped.abort();
    child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, passOn);
  try {
    for (let failures = 1; ; failures++) {
      const began = performance.now();
      // In a process group of its own: Ctrl-C comes to us, and from us, once.
      child = spawn(nodePath, [...NODE_OPTIONS, program], {
        stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
        env: { NODE_COMPILE_CACHE: join(root, 'dist', '.compiled'), ...process.env },
        detached: true,
      });
      const { code, signal } = await endOf(child);
      if (stopped.signal.aborted || FINAL_CODES.includes(code)) return code ?? 1;
      if (performance.now() - began > STEADY_MS) failures = 1;
      const wait = Math.min(LONGEST_WAIT_MS, firstWaitMs * 2 ** (failures - 1));
      const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
      console.error(`Gatehouse ${how}. It is started again in ${wait / 1000} s.`);
      await sleep(wait, undefined, { signal: stopped.signal }).catch(() => undefined);
      if (stopped.signal.aborted) return 1;
    }
  } finally {
    for (const signal of SIGNALS) process.off(signal, passOn);
  }
}

function endOf(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}
