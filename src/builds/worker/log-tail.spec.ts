import { describe, expect, it } from 'vitest';

import { LOG_TAIL_BYTES, LogTail } from './log-tail.js';

describe('LogTail', () => {
  it('joins what is split, stream by stream', () => {
    const tail = new LogTail();
    const bytes = Buffer.from('é\n');
    tail.push(bytes.subarray(0, 1), 'out');
    tail.push(Buffer.from('x'), 'err');
    tail.push(bytes.subarray(1), 'out');
    tail.note('told');
    tail.push(Buffer.from('open'), 'out');
    tail.note('again');
    expect(String(tail)).toBe('xé\ntold\nopen\nagain\n');
  });

  it('keeps the end, from a line on, within its bytes', () => {
    const tail = new LogTail();
    for (let at = 0; at < 20_000; at++) tail.push(Buffer.from(`line ${at} ü\n`), 'out');
    const text = String(tail);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LOG_TAIL_BYTES);
    expect(text).toMatch(/^line \d+ ü\n/);
    expect(text.endsWith('line 19999 ü\n')).toBe(true);
  });

  it('is masked before it is cut, and after what a terminal would not show is gone', () => {
    const tail = new LogTail((text) => text.replaceAll('password', '***'));
    tail.push(Buffer.from(`pass\u0007word ${'x'.repeat(20_000)}pass\u001b[0mword!`), 'out');
    expect(String(tail)).toMatch(/^x+\*\*\*!$/);
  });

  it('cuts one long line between characters', () => {
    const tail = new LogTail();
    tail.push(Buffer.from('ü'.repeat(50_000)), 'out');
    expect(String(tail)).toMatch(/^ü+$/);
    expect(Buffer.byteLength(String(tail))).toBeLessThanOrEqual(LOG_TAIL_BYTES);
  });

  it('shows nothing that a terminal would act on, or that cannot be stored', () => {
    const tail = new LogTail();
    tail.push(Buffer.from('\u001b[31mred\u001b[0m\u0000 10%\r20%\r\nend\u0007'), 'out');
    expect(String(tail)).toBe('red 10%\n20%\nend');
  });
});
