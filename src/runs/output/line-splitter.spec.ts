import { describe, expect, it } from 'vitest';
import { LineSplitter, type LineOptions } from './line-splitter.js';

function split(chunks: (string | Buffer)[], options?: LineOptions): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line), options);
  for (const chunk of chunks) splitter.push(Buffer.from(chunk as string));
  splitter.end();
  return lines;
}

/** The same text in one piece, byte by byte, and cut at every place must give the same lines. */
function splitEveryWay(text: string | Buffer, options?: LineOptions): string[] {
  const bytes = Buffer.from(text as string);
  const whole = split([bytes], options);
  expect(
    split(
      [...bytes].map((byte) => Buffer.from([byte])),
      options,
    ),
  ).toEqual(whole);
  for (let at = 0; at <= Math.min(bytes.length, 64); at++) {
    expect(split([bytes.subarray(0, at), bytes.subarray(at)], options)).toEqual(whole);
  }
  return whole;
}

describe('LineSplitter', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['\n', ['']],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\nb', ['a', 'b']],
    ['a\n\nb\n', ['a', '', 'b']],
    ['a\r\nb\r\n', ['a', 'b']],
    ['a\r\r\nb', ['a', 'b']],
    ['10%\r50%\r100%\n', ['100%']],
    ['10%\r50%\r100%', ['100%']],
    ['10%\r50%\r', ['50%']],
    ['x\n10%\r50%\r\ny', ['x', '50%', 'y']],
    ['été 😀\n漢字', ['été 😀', '漢字']],
    ['a\0b', ['a\ufffdb']],
    [' a \t\n', [' a \t']],
  ])('splits %j wherever the chunks end', (text, lines) => expect(splitEveryWay(text)).toEqual(lines));

  it('replaces bytes that are not UTF-8', () => {
    expect(splitEveryWay(Buffer.from([0x61, 0xff, 0x62, 0x0a, 0xe2, 0x82, 0x0a, 0x63]))).toEqual([
      'a\ufffdb',
      '\ufffd',
      'c',
    ]);
  });

  it('hands lines out as they end', () => {
    const lines: string[] = [];
    const splitter = new LineSplitter((line) => lines.push(line));
    splitter.push(Buffer.from('a\nb'));
    expect(lines).toEqual(['a']);
    splitter.push(Buffer.from('c\n'));
    expect(lines).toEqual(['a', 'bc']);
  });

  it('cuts a long line, and says so, within the limit', () => {
    for (const text of [
      'x'.repeat(4097),
      'é'.repeat(3000),
      '😀'.repeat(30_000),
      `${'x'.repeat(4000)}${'漢'.repeat(90_000)}`,
    ]) {
      const [line, after, ...more] = split([`${text}\nafter`]);
      expect(Buffer.byteLength(line!)).toBeLessThanOrEqual(4096);
      expect(Buffer.byteLength(line!)).toBeGreaterThan(4000);
      expect(line).toContain(`… [cut: the line has ${Buffer.byteLength(text)} bytes, 4096 is the most]`);
      expect(line).not.toContain('\ufffd');
      expect([after, ...more]).toEqual(['after']);
    }
    expect(split(['x'.repeat(4096)])[0]).toBe('x'.repeat(4096));
  });

  it('keeps little of an endless line', () => {
    const lines: string[] = [];
    const splitter = new LineSplitter((line) => lines.push(line));
    const chunk = Buffer.alloc(65_536, 0x78);
    for (let i = 0; i < 1000; i++) splitter.push(chunk);
    splitter.end();
    expect(lines[0]).toContain('65536000 bytes');
  });

  it('transforms before it cuts, so that no part of a secret is left at the cut', () => {
    const secret = 'SECRET-VALUE';
    const transform = (line: string) => line.replaceAll(secret, '***');
    for (let at = 4000; at < 4096; at++) {
      const [line] = split([`${'x'.repeat(at)}${secret}${'y'.repeat(200)}`], { transform });
      expect(line).not.toContain('SEC');
    }
    // What is kept of a very long line ends inside a secret.
    for (let extra = 0; extra < 20; extra++) {
      const [line] = split([`${'x'.repeat(extra)}${`${secret}-`.repeat(2000)}`], {
        transform,
        lookahead: 64,
      });
      expect(line).not.toContain('SEC');
    }
  });

  /** What is handed out of a stream, with the numbers of lines that were dropped, while nobody has time for it. */
  function behind(chunks: readonly string[], options: LineOptions = {}): (string | number)[] {
    const out: (string | number)[] = [];
    const splitter = new LineSplitter((line) => out.push(line), {
      isBehind: () => true,
      onSkipped: (lines) => out.push(lines),
      ...options,
    });
    for (const chunk of chunks) splitter.push(Buffer.from(chunk));
    splitter.end();
    return out;
  }

  it('holds lines while there is no time for them, wherever the chunks end', () => {
    const text = 'a\n\nb\r\n10%\r50%\nété\nlast';
    const lines = ['a', '', 'b', '50%', 'été', 'last'];
    expect(behind([text])).toEqual(lines);
    expect(behind([...text])).toEqual(lines);
    for (let at = 0; at <= text.length; at++)
      expect(behind([text.slice(0, at), text.slice(at)])).toEqual(lines);
    const long = 'x'.repeat(5000);
    expect(behind([`${long}`, `${long}\nb`])).toEqual([
      expect.stringContaining('[cut: the line has 10000 bytes'),
      'b',
    ]);
  });

  it('hands out what has waited, in order, as soon as there is time', () => {
    let isBehind = true;
    const lines: string[] = [];
    const splitter = new LineSplitter((line) => lines.push(line), { isBehind: () => isBehind });
    splitter.push(Buffer.from('a\nb'));
    splitter.catchUp();
    expect(lines).toEqual(['a']);
    splitter.push(Buffer.from('c\nd\n'));
    isBehind = false;
    splitter.push(Buffer.from('e\n'));
    expect(lines).toEqual(['a', 'bc', 'd', 'e']);
  });

  it('keeps the last 10,000 of those that wait, and drops none with the prefix', () => {
    const flood = Array.from({ length: 30_000 }, (_, number) => String(number));
    flood[5] = '::p 1';
    for (const size of [7, 1000, 400_000]) {
      const chunks = flood.join('\n').match(new RegExp(`[^]{1,${size}}`, 'g'))!;
      const out = behind(chunks, { neverSkip: ['::p'] });
      const lines = out.filter((item) => typeof item === 'string');
      expect(lines[0]).toBe('::p 1');
      expect(lines.length).toBeGreaterThan(10_000);
      expect(lines.slice(-10_000)).toEqual(flood.slice(-10_000));
      const dropped = out.reduce<number>((sum, item) => sum + (typeof item === 'number' ? item : 0), 0);
      expect(dropped + lines.length).toBe(30_000);
    }
  });

  it('says what the lines would have been that it drops', () => {
    const secret = 'SECRET\nVALUE';
    const transform = (text: string): string =>
      text.replaceAll(secret, '***').replaceAll('SECRET', '***').replaceAll('VALUE', '***');
    const odd = ['a SECRET', '10%\r50%', 'x'.repeat(5000), 'caf\xe9\0', 'SECRET', 'VALUE', '', '::p 1'];
    const flood = [...Array.from({ length: 12_000 }, (_, number) => String(number)), ...odd];
    const bytes = Buffer.from(`${[...flood, ...flood, ...flood].join('\n')}\n`, 'latin1');
    for (const size of [700, 65_536]) {
      const whole: string[] = [];
      const splitter = new LineSplitter((line) => whole.push(line), {
        transform,
        isBehind: () => true,
        neverSkip: ['::p'],
        onSkipped: (lines, text) => {
          const skipped = text().toString().split('\n');
          expect(skipped.pop()).toBe('');
          expect(skipped).toHaveLength(lines);
          whole.push(...skipped);
        },
      });
      for (let at = 0; at < bytes.length; at += size) splitter.push(bytes.subarray(at, at + size));
      splitter.end();
      const usual: string[] = [];
      const atOnce = new LineSplitter((line) => usual.push(line), { transform });
      atOnce.push(bytes);
      const logged = (lines: string[]): string[] => lines.filter((line) => !line.startsWith('::p'));
      expect(logged(whole)).toEqual(logged(usual));
    }
  });

  it('holds 4 MiB of those that wait, and none of the chunks that they came in', () => {
    const chunk = `${'x'.repeat(60_000)}\n`;
    const out = behind(Array.from({ length: 2000 }, () => chunk));
    const kept = out.filter((item) => typeof item === 'string').length;
    expect(kept).toBeLessThan(80);
    expect(out.reduce<number>((sum, item) => sum + (typeof item === 'number' ? item : 0), kept)).toBe(2000);
  });
});
