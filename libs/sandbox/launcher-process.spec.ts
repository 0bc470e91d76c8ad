import { describe, expect, it } from 'vitest';
import { bubblewrapArguments } from './bubblewrap-arguments.js';
import { readExitCode } from './read-exit-code.js';
import { encodeRequest, parseEvent } from './launcher-protocol.js';

describe('what is said between worker and launcher', () => {
  it('frames a request', () => {
    const request = {
      number: 7,
      timeoutMs: 1000,
      graceMs: 50,
      binds: [{ source: '/s', target: '/app' }],
      places: [443, 8443].map((port) => ({ address: '127.0.0.1', port })),
      writableApp: { maxBytes: 1025, maxFiles: 9 },
      options: Buffer.from('--x\0'),
      command: ['echo', 'é'],
    };
    const bytes = encodeRequest(request, 'run');
    const body = '/s\0/app\x00127.0.0.1:443\x00127.0.0.1:8443\0--x\0echo\0é\0';
    expect(bytes.toString('utf8', 45)).toBe(body);
    expect(bytes.toString('latin1', 0, 1)).toBe('R');
    const numbers = Array.from({ length: 11 }, (_, index) => bytes.readUInt32LE(1 + 4 * index));
    expect(numbers).toEqual([Buffer.byteLength(body), 7, 1000, 50, 2, 9, 1, 2, 4, 2, 0]);
    expect(encodeRequest(request, 'become').readUInt32LE(41)).toBe(1);
    expect(encodeRequest(request, 'wait').toString('latin1', 0, 1)).toBe('W');
  });

  it('reads events', () => {
    expect(parseEvent('started')).toEqual({ type: 'started' });
    expect(parseEvent('failed no such place')).toEqual({ type: 'failed', reason: 'no such place' });
    expect(parseEvent('exited 3 1 1 0 250 - 1 5432:3,22:1 120 4096')).toEqual({
      type: 'exited',
      code: 3,
      report: {
        timedOut: true,
        terminated: true,
        outOfMemory: false,
        durationMs: 250,
        appOverflow: null,
        startedAhead: true,
        refusedPorts: [
          { port: 5432, attempts: 3 },
          { port: 22, attempts: 1 },
        ],
        cpuMs: 120,
        peakMemoryBytes: 4096,
      },
    });
    expect(parseEvent('exited -1 0 0 1 5 bytes 0 - -1 -1')).toMatchObject({
      code: null,
      report: {
        ...{ outOfMemory: true, appOverflow: 'bytes', startedAhead: false, refusedPorts: [] },
        ...{ cpuMs: null, peakMemoryBytes: null },
      },
    });
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
