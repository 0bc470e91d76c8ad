import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { codeReservation, reservedIn } from './code-reservation.js';

const line = (from: number, megabytes: number, rights: string): string =>
  `${from.toString(16)}-${(from + megabytes * 2 ** 20).toString(16)} ${rights} 00000000 00:00 0 `;

describe('codeReservation', () => {
  it('is what one isolate reserves, also where several have', () => {
    const maps = [line(0x10000, 800, 'rw-p'), line(2 ** 40, 509.75, 'rwxp'), line(2 ** 41, 509.5, 'rwxp')];
    expect(reservedIn(maps.join('\n'))).toBe(512 * 2 ** 20);
  });

  it('is nothing where code is made writable page by page', () => {
    const maps = [line(0x10000, 800, 'rw-p'), line(2 ** 40, 0.25, 'rwxp'), line(2 ** 41, 128, 'r-xp')];
    expect(reservedIn(maps.join('\n'))).toBe(0);
  });

  it('is the same of this process and of another one of its program', () => {
    const link = join(mkdtempSync(join(tmpdir(), 'code-reservation-')), 'node');
    symlinkSync(process.execPath, link);
    expect(codeReservation(link)).toBe(codeReservation(process.execPath));
    rmSync(dirname(link), { recursive: true });
  });
});
