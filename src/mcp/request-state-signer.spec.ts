import { describe, expect, it } from 'vitest';

import { MasterKey } from '../core/crypto/index.js';
import type { McpCall } from './mcp-call.js';
import { RequestStateSigner } from './request-state-signer.js';

const states = new RequestStateSigner(new MasterKey(Buffer.alloc(32, 7)));

function call(grant: string, name: string, args?: object): McpCall {
  const params = { name, ...(args && { arguments: args }) };
  return { caller: { credentialId: grant }, message: { params } } as unknown as McpCall;
}

describe('the state of a call', () => {
  const state = states.issue(call('gra_1', 'report', { day: 1 }), 'run_1');

  it('names the run to the call that it was issued for', () => {
    expect(states.verify(state, call('gra_1', 'report', { day: 1 }))).toEqual({ runId: 'run_1' });
  });

  it.each([
    ['another grant', state, call('gra_2', 'report', { day: 1 })],
    ['another tool', state, call('gra_1', 'other', { day: 1 })],
    ['other arguments', state, call('gra_1', 'report', { day: 2 })],
    ['no arguments', state, call('gra_1', 'report')],
    ['another run', state.replace('run_1', 'run_2'), call('gra_1', 'report', { day: 1 })],
    ['no signature', 'run_1', call('gra_1', 'report', { day: 1 })],
    ['nothing', '', call('gra_1', 'report', { day: 1 })],
  ])('is no good with %s', (_, given, by) => {
    expect(() => states.verify(given, by)).toThrow('Not a state of this call.');
  });
});
