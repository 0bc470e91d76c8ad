import { describe, expect, it } from 'vitest';

import { type Answer, entriesOf, hasRuns, heard, newAnswer } from './conversation.js';

const event = (name: string, data: unknown) => ({ event: name, id: null, data });
const run = (id: string, status: string) => ({ id, status });

function after(...events: [string, unknown][]): Answer {
  return events.reduce((answer, [name, data]) => heard(answer, event(name, data)), newAnswer());
}

describe('An answer', () => {
  it('is made of texts and calls in the order in which they come', () => {
    const answer = after(
      ['text', { delta: 'I ' }],
      ['text', { delta: 'count.' }],
      ['tool', { id: 'c1', name: 'double', script: 'double' }],
      ['run', { id: 'c1', tool: 'double', run: run('run_1', 'running') }],
      ['run', { id: 'c1', tool: 'double', run: run('run_1', 'succeeded') }],
      ['text', { delta: '\n\nFour.' }],
    );
    expect(answer.parts).toEqual([
      { kind: 'text', text: 'I count.' },
      { kind: 'call', id: 'c1', name: 'double', script: 'double', run: run('run_1', 'succeeded') },
      { kind: 'text', text: 'Four.' },
    ]);
    expect([answer.content, answer.isOver]).toEqual(['I count.\n\nFour.', false]);
    const done = heard(answer, event('done', { message: { content: 'All.' } }));
    expect([done.content, done.isOver]).toEqual(['All.', true]);
  });

  it('shows the state of a run at the call that started it, also where another call saw it', () => {
    const answer = after(
      ['tool', { id: 'c1', name: 'double', script: 'double' }],
      ['run', { id: 'c1', run: run('run_1', 'awaiting_approval') }],
      ['tool', { id: 'c2', name: 'wait_for_run', script: null }],
      ['run', { id: 'c2', run: run('run_1', 'succeeded') }],
    );
    expect(answer.parts[0]).toMatchObject({ run: { status: 'succeeded' } });
  });
});

it('that is kept has one answer for each message, with the runs of its calls', () => {
  const at = { createdAt: '2026-01-01T00:00:00.000Z' };
  const call = { tool: 'double', script: 'double', input: {}, result: '4', runId: 'run_1', waits: false };
  const entries = entriesOf([
    { role: 'user', content: 'Double 2', calls: [], ...at },
    { role: 'assistant', content: 'I count.', calls: [call, { ...call, tool: 'get_run' }], ...at },
    { role: 'assistant', content: 'Four.', calls: [], ...at },
    { role: 'user', content: 'Thanks', calls: [], ...at },
  ]);
  expect(entries).toMatchObject([
    { role: 'user', content: 'Double 2' },
    {
      role: 'assistant',
      content: 'I count.\n\nFour.',
      isOver: true,
      parts: [
        { kind: 'text', text: 'I count.' },
        { kind: 'call', name: 'double', runId: 'run_1' },
        { kind: 'call', name: 'get_run', runId: null },
        { kind: 'text', text: 'Four.' },
      ],
    },
    { role: 'user', content: 'Thanks' },
  ]);
  expect([hasRuns(entries), hasRuns(entries.slice(0, 2))]).toEqual([false, true]);
});
