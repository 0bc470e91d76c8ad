import { describe, expect, it } from 'vitest';

import { lineOf } from './log-fields.js';

describe('lineOf', () => {
  it('tells words, fields and who says it apart', () =>
    expect(lineOf('It ended.', [{ runId: 'run_1', ms: 12 }, 'Runs'])).toEqual({
      message: 'It ended.',
      context: 'Runs',
      fields: { runId: 'run_1', ms: 12 },
    }));

  it('takes a stack before the name, as Nest gives it', () =>
    expect(lineOf('broken', ['Error: broken\n    at x', 'Http'])).toEqual({
      message: 'broken',
      stack: 'Error: broken\n    at x',
      context: 'Http',
      fields: {},
    }));

  it('takes an error with its stack', () => {
    const error = new Error('broken');
    expect(lineOf(error, ['Http'])).toEqual({
      message: 'broken',
      stack: error.stack,
      context: 'Http',
      fields: {},
    });
  });

  it('takes what is neither as JSON', () =>
    expect(lineOf({ a: 1 }, [])).toEqual({ message: '{"a":1}', fields: {} }));
});
