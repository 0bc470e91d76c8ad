import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { parseReport, type Report } from './protocol.js';
import { ReportReader } from './report-reader.js';

const request = { host: 'api.test', method: 'GET', status: 200, refused: false, at: 1, durationMs: 2 };
const usage = { host: 'api.test', requests: 1, denied: 0, bytesIn: 5, bytesOut: 6 };

const held = {
  number: 1,
  at: 2,
  protocol: 'https',
  host: 'api.test',
  method: 'POST',
  target: '/v1?a=b',
  headers: [['X-Key', 'a']] as [string, string][],
  body: { bytes: 7, sha256: 'a'.repeat(64), text: 'a\n\tb\r\nc', cut: false },
  sha256: 'b'.repeat(64),
} as const;
const heldWith = (more: object): string =>
  JSON.stringify({ type: 'held', id: 1, request: { ...held, ...more } });

describe('a report', () => {
  it.each<[Report]>([
    [{ type: 'ready' }],
    [{ type: 'pong' }],
    [{ type: 'log', id: 1, line: 'gate: refused' }],
    [{ type: 'used', id: 2, names: ['KEY'] }],
    [{ type: 'usage', id: 3, usage: [usage] }],
    [{ type: 'closed', id: 3, usage: [] }],
    [{ type: 'request', id: 4, request }],
    [{ type: 'held', id: 5, request: held }],
    [{ type: 'held', id: 5, request: { ...held, protocol: 'postgres', body: { ...held.body, text: null } } }],
    [{ type: 'gone', id: 5, number: 1 }],
    [{ type: 'request', id: 4, request: { ...request, host: null, method: '_OTHER', status: null } }],
  ])('is understood: %j', (report) => {
    expect(parseReport(JSON.stringify({ ...report, more: 'left out' }))).toEqual(report);
  });

  it.each<[string, string]>([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['nothing', 'null'],
    ['an unknown type', '{"type":"run","id":1}'],
    ['no number', '{"type":"log","line":"x"}'],
    ['a negative number', '{"type":"closed","id":-1,"usage":[]}'],
    ['a line that is none', '{"type":"log","id":1,"line":{}}'],
    ['a long line', JSON.stringify({ type: 'log', id: 1, line: 'x'.repeat(2_001) })],
    ['a long name', JSON.stringify({ type: 'used', id: 1, names: ['x'.repeat(501)] })],
    ['many names', JSON.stringify({ type: 'used', id: 1, names: Array<string>(1_001).fill('x') })],
    ['many hosts', JSON.stringify({ type: 'usage', id: 1, usage: Array(301).fill(usage) })],
    ['a count below zero', JSON.stringify({ type: 'usage', id: 1, usage: [{ ...usage, denied: -1 }] })],
    ['a count that is none', JSON.stringify({ type: 'usage', id: 1, usage: [{ ...usage, denied: '1' }] })],
    [
      'a method of its own',
      JSON.stringify({ type: 'request', id: 1, request: { ...request, method: 'TELL' } }),
    ],
    [
      'a status that is none',
      JSON.stringify({ type: 'request', id: 1, request: { ...request, status: 20 } }),
    ],
    ['a time that is none', JSON.stringify({ type: 'request', id: 1, request: { ...request, at: -1 } })],
    ['a host that is none', JSON.stringify({ type: 'request', id: 1, request: { ...request, host: 5 } })],
    ['a held request without a number', heldWith({ number: 0 })],
    ['a held request with a method of its own', heldWith({ method: 'post' })],
    ['a held request of an unknown protocol', heldWith({ protocol: 'tcp' })],
    ['a held request without a hash', heldWith({ sha256: 'x' })],
    ['a held request with half a header', heldWith({ headers: [['X-Key']] })],
    ['a held request with many headers', heldWith({ headers: Array(257).fill(['a', 'b']) })],
    ['a held request with a long head', heldWith({ target: 'x'.repeat(65_536) })],
    ['a held request with a long body', heldWith({ body: { ...held.body, text: 'x'.repeat(65_537) } })],
    ['a held request without a body', heldWith({ body: null })],
    ['a verdict', JSON.stringify({ type: 'verdict', id: 1, number: 1, refusal: null })],
    ['an endless count', JSON.stringify({ type: 'usage', id: 1, usage: [{ ...usage, bytesIn: 2 ** 53 }] })],
  ])('is not: %s', (_, text) => {
    expect(parseReport(text)).toBeNull();
  });

  it('shows its control characters', () => {
    const report = parseReport(JSON.stringify({ type: 'log', id: 1, line: 'a\nb\u001b[2Jc\0' }));
    expect(report).toEqual({ type: 'log', id: 1, line: 'a\ufffdb\ufffd[2Jc\ufffd' });
  });
});

describe('the reader of reports', () => {
  function open(): { stream: PassThrough; reports: Report[]; violations: () => number } {
    const stream = new PassThrough({ highWaterMark: 1024 });
    const reports: Report[] = [];
    let violations = 0;
    new ReportReader(stream, {
      onReport: (report) => reports.push(report),
      onViolation: () => (violations += 1),
    });
    return { stream, reports, violations: () => violations };
  }

  it('reads them however they are split', async () => {
    const { stream, reports, violations } = open();
    const text = '{"type":"ready"}\n{"type":"pong"}\n{"type":"closed","id":1,"usage":[]}\n';
    for (const character of text) stream.write(character);
    await expect.poll(() => reports.map(({ type }) => type)).toEqual(['ready', 'pong', 'closed']);
    expect(violations()).toBe(0);
  });

  it.each([
    ['an endless line', () => 'x'.repeat(600_000)],
    ['a line that is no report', () => '{"type":"pong"}\nhello\n{"type":"ready"}\n'],
  ])('gives up at %s', async (_, text) => {
    const { stream, reports, violations } = open();
    stream.write(text());
    await expect.poll(violations).toBe(1);
    expect(stream.destroyed).toBe(true);
    expect(reports.map(({ type }) => type)).not.toContain('ready');
  });

  it('reads no faster than it says, and loses nothing', async () => {
    const { stream, reports } = open();
    const one = `${JSON.stringify({ type: 'log', id: 1, line: 'x'.repeat(1_900) })}\n`;
    const began = performance.now();
    for (let sent = 0; sent < 1_000; sent++) {
      if (!stream.write(one)) await new Promise((resolve) => stream.once('drain', resolve));
    }
    await expect.poll(() => reports.length).toBe(1_000);
    // 1.9 MB at 4 MiB a second; unbounded it takes some 20 ms.
    expect(performance.now() - began).toBeGreaterThan(250);
  });
});
