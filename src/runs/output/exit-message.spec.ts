import { describe, expect, it } from 'vitest';
import { exitMessage } from './exit-message.js';
import { StderrRecorder } from './stderr-recorder.js';

function stderr(
  text: string,
  isBehind = () => false,
): { lines: string[]; progress: unknown[]; lastError: string | null } {
  const lines: string[] = [];
  const progress: unknown[] = [];
  const recorder = new StderrRecorder(
    {
      onLine: (l) => lines.push(l),
      onProgress: (p) => progress.push(p),
      onLabel: () => undefined,
      onView: () => undefined,
    },
    { isBehind },
  );
  recorder.push(Buffer.from(text));
  recorder.end();
  return { lines, progress, lastError: recorder.failure(1, false) };
}

describe('exitMessage', () => {
  it('says how a run ended', () => {
    expect(exitMessage({ kind: 'exit', code: 3, lastError: 'boom' })).toBe('exit code 3: boom');
    expect(exitMessage({ kind: 'exit', code: 1, lastError: null })).toBe('exit code 1');
    expect(exitMessage({ kind: 'signal', signal: 'SIGKILL', lastError: null })).toBe('killed by SIGKILL');
    expect(exitMessage({ kind: 'timeout', seconds: 30 })).toBe('timed out after 30 s');
    expect(exitMessage({ kind: 'memory', limitBytes: 512 * 1024 * 1024 })).toBe(
      'ran out of memory (512 MiB)',
    );
  });

  it('cuts a long last line and shows it', () => {
    const message = exitMessage({ kind: 'exit', code: 1, lastError: 'é'.repeat(4000) });
    expect(message.endsWith('é…')).toBe(true);
    expect(Buffer.byteLength(message)).toBeLessThan(1100);
  });
});

describe('StderrRecorder', () => {
  it('tells progress from log lines', () => {
    const { lines, progress } = stderr('a\n::progress 0.4 page 2\n::progress 7\nb');
    expect(lines).toEqual(['a', '::progress 7', 'b']);
    expect(progress).toEqual([{ progress: 0.4, message: 'page 2' }]);
  });

  it('still knows progress and the last line when the log is behind', () => {
    const { lines, progress, lastError } = stderr('a\n::progress 0.5\nb\nlast\n', () => true);
    expect(progress).toHaveLength(1);
    expect(lastError).toBe('last');
    expect(lines).toEqual(['a', 'b', 'last']);
  });
});
