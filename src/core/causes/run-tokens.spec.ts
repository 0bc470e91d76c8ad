import { afterEach, describe, expect, it, vi } from 'vitest';

import { MasterKey, newId } from '../crypto/index.js';
import { RunTokens } from './run-tokens.js';

const run = { id: newId('run'), workspaceId: newId('workspace') };
const tokens = new RunTokens(new MasterKey(Buffer.alloc(32, 1)));

afterEach(() => vi.useRealTimers());

describe('a token of a run', () => {
  it('names the run and its workspace', () => {
    expect(tokens.read(tokens.issue(run, 1000))).toEqual(run);
  });

  it('ends', () => {
    const token = tokens.issue(run, 1000);
    vi.useFakeTimers({ now: Date.now() + 1001 });
    expect(tokens.read(token)).toBeNull();
  });

  it('is not good with anything in it changed, or by another key', () => {
    const token = tokens.issue(run, 1000);
    const [id, workspace, until, signature] = token.split('.');
    const forged = [
      '',
      '...',
      `${newId('run')}.${workspace}.${until}.${signature}`,
      `${id}.${newId('workspace')}.${until}.${signature}`,
      `${id}.${workspace}.${Number(until) + 1}.${signature}`,
      `${id}.${workspace}.${until}`,
      `${token}.`,
      `${token}, ${token}`,
      'a'.repeat(100_000),
      new RunTokens(new MasterKey(Buffer.alloc(32, 2))).issue(run, 1000),
    ];
    for (const text of forged) expect(tokens.read(text), text.slice(0, 80)).toBeNull();
  });
});
