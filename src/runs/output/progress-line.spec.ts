import { describe, expect, it } from 'vitest';
import { parseProgress } from './progress-line.js';

describe('parseProgress', () => {
  it.each<[string, number, string | null]>([
    ['::progress 0.4 fetching page 2', 0.4, 'fetching page 2'],
    ['::progress 0', 0, null],
    ['::progress 1', 1, null],
    ['::progress 1.0 done', 1, 'done'],
    ['::progress .5', 0.5, null],
    ['::progress 0.25   ', 0.25, null],
    ['::progress\t0.25\t a  b ', 0.25, 'a  b'],
  ])('reads %j', (line, progress, message) => expect(parseProgress(line)).toEqual({ progress, message }));

  it.each([
    '::progress',
    '::progress ',
    '::progress x',
    '::progress 1.01',
    '::progress -0.1',
    '::progress 40%',
    '::progress 0.4fetching',
    '::progress 1e-1',
    '::progress NaN',
    '::progress Infinity',
    '::progress 0x1',
    '::progress0.5',
    ' ::progress 0.5',
    '::Progress 0.5',
    'progress 0.5',
    `::progress ${'9'.repeat(400)}`,
  ])('leaves %j to the log', (line) => expect(parseProgress(line)).toBeNull());

  it('cuts a long message and shows it', () => {
    const message = parseProgress(`::progress 0.5 ${'😀'.repeat(600)}`)!.message!;
    expect([...message]).toHaveLength(500);
    expect(message.endsWith('😀…')).toBe(true);
  });
});
