import { describe, expect, it } from 'vitest';
import { LogCollector, type LogLimits } from './log-collector.js';

function collect(lines: string[], limits?: LogLimits): { stored: string[]; log: LogCollector } {
  const stored: string[] = [];
  const log = new LogCollector((line) => stored.push(line), limits);
  for (const line of lines) log.add(line);
  return { stored, log };
}

describe('LogCollector', () => {
  it('passes lines on', () => {
    const { stored, log } = collect(['a', '', 'b']);
    expect(stored).toEqual(['a', '', 'b']);
    expect([log.count, log.full]).toEqual([3, false]);
  });

  it('says once that the rest was dropped, after 10,000 lines', () => {
    const { stored, log } = collect(Array.from({ length: 10_005 }, (_, i) => String(i)));
    expect(stored).toHaveLength(10_001);
    expect(stored[9999]).toBe('9999');
    expect(stored[10_000]).toBe('[the rest of the log was dropped: a log is at most 10,000 lines]');
    expect([log.count, log.full]).toEqual([10_001, true]);
    expect(collect(Array.from({ length: 10_000 }, () => 'x')).log.full).toBe(false);
  });

  it('says so after 4 MiB', () => {
    const { stored } = collect(Array.from({ length: 1100 }, () => 'é'.repeat(2048)));
    expect(stored).toHaveLength(1025);
    expect(stored[1024]).toBe('[the rest of the log was dropped: a log is at most 4 MiB]');
  });

  it('stores nothing after a line that did not fit, even if the next would', () => {
    expect(collect(['aaaa', 'bbbbbbb', 'c'], { maxBytes: 10 }).stored).toHaveLength(2);
  });
});
