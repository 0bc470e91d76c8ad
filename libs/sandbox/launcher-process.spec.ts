import { describe, expect, it } from 'vitest';
import { readExitCode } from './boxed-run.js';
import { bubblewrapArguments } from './bubblewrap.js';
import { encodeRequest, parseEvent } from './launcher-process.js';

describe('what is said between worker and launcher', () => {
  it('frames a request', () => {
    const bytes = encodeRequest({
      timeoutMs: 1000,
      graceMs: 50,
      binds: [{ source: '/s', target: '/app' }],
      options: Buffer.from('--x\0'),
      command: ['echo', 'é'],
    });
    const body = '/s\0/app\0--x\0echo\0é\0';
    expect(bytes.toString('utf8', 25)).toBe(body);
    expect(bytes.toString('latin1', 0, 1)).toBe('R');
    expect([1, 5, 9, 13, 17, 21].map((at) => bytes.readUInt32LE(at))).toEqual([
      Buffer.byteLength(body),
      1000,
      50,
      1,
      4,
      2,
    ]);
  });

  it('reads events', () => {
    expect(parseEvent('started')).toEqual({ type: 'started' });
    expect(parseEvent('failed no such place')).toEqual({ type: 'failed', reason: 'no such place' });
    expect(parseEvent('exited 3 1 1 0 250')).toEqual({
      type: 'exited',
      code: 3,
      report: { timedOut: true, terminated: true, outOfMemory: false, durationMs: 250 },
    });
    expect(parseEvent('exited -1 0 0 1 5')).toMatchObject({ code: null, report: { outOfMemory: true } });
  });

  it('takes codes for signals as shells do', () => {
    expect(readExitCode(0)).toEqual({ code: 0, signal: null });
    expect(readExitCode(128)).toEqual({ code: 128, signal: null });
    expect(readExitCode(137)).toEqual({ code: null, signal: 'SIGKILL' });
    expect(readExitCode(134)).toEqual({ code: null, signal: 'SIGABRT' });
    expect(readExitCode(255)).toEqual({ code: 255, signal: null });
  });

  it('passes the environment beside the command line', () => {
    const words = bubblewrapArguments({ TOKEN: 'a b', PATH: '/mine' }).toString().split('\0');
    expect(words.slice(words.indexOf('TOKEN') - 1).slice(0, 3)).toEqual(['--setenv', 'TOKEN', 'a b']);
    expect(words.filter((word) => word === 'PATH')).toHaveLength(1);
    expect(() => bubblewrapArguments({ '': 'x' })).toThrow(TypeError);
    expect(() => bubblewrapArguments({ A: 'x\0y' })).toThrow(/NUL/);
  });
});
