import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const UNIT = 64 * 1024 * 1024;

/**
 * What a Node reserves for compiled code, in bytes. From Node 24 on that is half a GiB for each isolate. It is hardly
 * used, but can be written to, so the kernel counts it as heap (RLIMIT_DATA).
 *
 * @param nodePath its path: that of this process, or another's, which is started to look
 */
export function codeReservation(nodePath: string): number {
  if (nodePath === process.execPath) return reservedIn(readFileSync('/proc/self/maps', 'utf8'));
  const look = "require('fs').readFileSync('/proc/self/maps', 'utf8')";
  return reservedIn(execFileSync(nodePath, ['-p', look], { env: {}, encoding: 'utf8' }));
}

/** @param maps `/proc/pid/maps`. Source: proc(5) */
export function reservedIn(maps: string): number {
  const sizes = maps.split('\n').map((line) => {
    const [, from = '0', to = '0'] = /^([0-9a-f]+)-([0-9a-f]+) rwxp /.exec(line) ?? [];
    return parseInt(to, 16) - parseInt(from, 16);
  });
  // Whatever threads of ours have reserved: a box begins with one isolate. Some pages of it have other rights.
  return Math.round(Math.max(...sizes) / UNIT) * UNIT;
}
