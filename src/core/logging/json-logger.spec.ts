import { describe, expect, it } from 'vitest';

import { JsonLogger } from './json-logger.js';
import { LogLevels } from './log-levels.js';

function logged(say: (logger: JsonLogger) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  say(new JsonLogger(new LogLevels('warn'), undefined, { write: (line) => void lines.push(line) }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('JsonLogger', () => {
  it('writes one line with level, time, name and ids', () => {
    const [line] = logged((logger) => logger.warn('It ended.\nReally.', { runId: 'run_1' }, 'Runs'));
    expect(line).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      context: 'Runs',
      runId: 'run_1',
      message: 'It ended.\nReally.',
    });
  });

  it('writes an error with its stack', () => {
    const [line] = logged((logger) => logger.error(new Error('broken'), 'Http'));
    expect(line).toMatchObject({ message: 'broken', stack: expect.stringContaining('json-logger.spec') });
  });

  it('leaves out what is below its level', () =>
    expect(logged((logger) => [logger.log('info'), logger.debug('debug')])).toEqual([]));
});
