import { describe, expect, it } from 'vitest';

import { InvalidCron, parseCron, stepProblem } from './parse-cron.js';

const range = (first: number, last: number, step = 1): number[] =>
  Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => first + index * step);

/** As lists, in the order of the fields. */
function read(text: string) {
  const { times, daysOfMonth, months, daysOfWeek } = parseCron(text);
  return {
    minutes: [...new Set(times.map((time) => time % 60))].sort((a, b) => a - b),
    hours: [...new Set(times.map((time) => Math.floor(time / 60)))],
    daysOfMonth: [...daysOfMonth],
    months: [...months],
    daysOfWeek: [...daysOfWeek].sort(),
  };
}

const EVERY = {
  minutes: range(0, 59),
  hours: range(0, 23),
  daysOfMonth: range(1, 31),
  months: range(1, 12),
  daysOfWeek: range(0, 6),
};

describe('parseCron', () => {
  it.each<[string, Partial<typeof EVERY>]>([
    ['* * * * *', {}],
    ['*/15 * * * *', { minutes: [0, 15, 30, 45] }],
    ['5/20 * * * *', { minutes: [5, 25, 45] }],
    ['10-30/10,7 * * * *', { minutes: [7, 10, 20, 30] }],
    ['0-59/59 * * * *', { minutes: [0, 59] }],
    ['*/61 * * * *', { minutes: [0] }],
    ['1,1,1 * * * *', { minutes: [1] }],
    ['50,40,*/20 * * * *', { minutes: [0, 20, 40, 50] }],
    ['1-3,2-4 * * * *', { minutes: [1, 2, 3, 4] }],
    ['0 0 * * 0,7,sun', { minutes: [0], hours: [0], daysOfWeek: [0] }],
    ['05 07 * * *', { minutes: [5], hours: [7] }],
    ['0 9-17 * * mon-fri', { minutes: [0], hours: range(9, 17), daysOfWeek: [1, 2, 3, 4, 5] }],
    ['0 0 1 JAN,jul *', { minutes: [0], hours: [0], daysOfMonth: [1], months: [1, 7] }],
    ['0 0 * Mar-May/2 *', { minutes: [0], hours: [0], months: [3, 5] }],
    ['0 0 * * 7', { minutes: [0], hours: [0], daysOfWeek: [0] }],
    ['0 0 * * 0', { minutes: [0], hours: [0], daysOfWeek: [0] }],
    ['0 0 * * Sun', { minutes: [0], hours: [0], daysOfWeek: [0] }],
    ['0 0 * * 5-7', { minutes: [0], hours: [0], daysOfWeek: [0, 5, 6] }],
    ['0 0 * * fri-sun', { minutes: [0], hours: [0], daysOfWeek: [0, 5, 6] }],
    ['0 0 * * sun-tue', { minutes: [0], hours: [0], daysOfWeek: [0, 1, 2] }],
    ['0 0 * * 0-7', { minutes: [0], hours: [0] }],
    ['0 0 * * 1-7/2', { minutes: [0], hours: [0], daysOfWeek: [0, 1, 3, 5] }],
    ['0 0 31 * *', { minutes: [0], hours: [0], daysOfMonth: [31] }],
    ['  0   0  *  *  * ', { minutes: [0], hours: [0] }],
    ['@hourly', { minutes: [0] }],
    ['@daily', { minutes: [0], hours: [0] }],
    ['@midnight', { minutes: [0], hours: [0] }],
    ['@WEEKLY', { minutes: [0], hours: [0], daysOfWeek: [0] }],
    ['@monthly', { minutes: [0], hours: [0], daysOfMonth: [1] }],
    ['@yearly', { minutes: [0], hours: [0], daysOfMonth: [1], months: [1] }],
    ['@annually', { minutes: [0], hours: [0], daysOfMonth: [1], months: [1] }],
  ])('reads %j', (text, fields) => expect(read(text)).toEqual({ ...EVERY, ...fields }));

  it.each(['0 5 * * *\n', '0\t5\t*\t*\t*', ' 0  5 \r\n* * * '])('takes any white space: %j', (text) =>
    expect(parseCron(text)).toEqual(parseCron('0 5 * * *')),
  );

  it('takes white space around a nickname', () => expect(parseCron(' @daily ')).toEqual(parseCron('@daily')));

  it.each([
    ['*/90 * * * *', '"*/90" in the minute field, whose steps are at most 59'],
    ['0 1,*/24 * * *', '"*/24" in the hour field, whose steps are at most 23'],
    ['0 0 */31 * *', '"*/31" in the day of month field'],
    ['0 0 * */12 *', '"*/12" in the month field'],
  ])('says what %j would be', (text, problem) => expect(stepProblem(text)).toContain(problem));

  it.each(['*/59 */23 */30 */11 */7', '0-59/59 * * * *', '@daily', '0 0 * * *'])('takes %j', (text) =>
    expect(stepProblem(text)).toBeNull(),
  );

  it.each([
    '',
    '   ',
    '*',
    '* * * *',
    '* * * * * *',
    '0 0 0 1 1 * 2030',
    '@reboot',
    '@minutely',
    '@secondly',
    '@weekdays',
    '@every 5m',
    '@constructor',
    '@',
    '60 * * * *',
    '-1 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * 32 * *',
    '* * * 0 *',
    '* * * 13 *',
    '* * * * 8',
    '5-1 * * * *',
    '* 22-4 * * *',
    '* * * * sat-mon',
    '1-2-3 * * * *',
    '*/0 * * * *',
    '*/00 * * * *',
    '*/-5 * * * *',
    '*/5/5 * * * *',
    '*/ * * * *',
    '/5 * * * *',
    '1, * * * *',
    ',1 * * * *',
    '1,,2 * * * *',
    '** * * * *',
    '*-5 * * * *',
    '*5 * * * *',
    '1.5 * * * *',
    '+1 * * * *',
    '1e1 * * * *',
    '0x1 * * * *',
    '١ * * * *',
    'NaN * * * *',
    'jan * * * *',
    '* * mon * *',
    '* * * mon *',
    '* * * * jan',
    '* * * janfeb *',
    '* * * january *',
    '* * * * monday',
    '* * * * montue',
    '* * L * *',
    '* * 15W * *',
    '* * LW * *',
    '* * * * 5L',
    '* * * * 5#2',
    '* * ? * *',
    '* * * * ?',
    'H * * * *',
    'H(0-9) * * * *',
    '0 0 30 2 *',
    '0 0 31 4 *',
    '0 0 31 2,4,6,9,11 *',
    '0 0 30,31 feb *',
    '0 0 31 2 */2',
  ])('refuses %j', (text) => expect(() => parseCron(text)).toThrow(InvalidCron));

  it.each(['0 0 29 2 *', '0 0 29 2 */6', '0 0 30 2 1', '0 0 31 4,5 *', '0 0 31 6 sun', '59 23 31 12 *'])(
    'takes %j, a day that comes',
    (text) => expect(() => parseCron(text)).not.toThrow(),
  );

  it.each([
    ['0 0 13 * 5', true],
    ['0 0 1-7 * mon', true],
    ['0 0 1-31 * 5', true],
    ['0 0 * * 5', false],
    ['0 0 13 * *', false],
    ['0 0 */2 * 1', false],
    ['0 0 13 * */2', false],
    ['0 0 * * *', false],
  ])('%j: either day is enough: %s', (text, either) => expect(parseCron(text).eitherDay).toBe(either));

  it.each([
    ['0 * * * *', true],
    ['0 */2 * * *', true],
    ['0 1-5/2 * * *', true],
    ['0 1,*/6 * * *', true],
    ['*/5 2 * * *', false],
    ['* 0-23 * * *', false],
    ['0 2,3 * * *', false],
    ['@hourly', true],
    ['@daily', false],
  ])('%j: follows the clock: %s', (text, follows) => expect(parseCron(text).followsTheClock).toBe(follows));

  it.each([
    ['* * * *', /must have 5 fields.*it has 4/],
    ['* * * * * *', /it has 6/],
    ['@reboot', /@hourly, .*no other/],
    ['* 24 * * *', /"24" in the hour field, which takes ascending values from 0 to 23/],
    ['9-5 * * * *', /"9-5" in the minute field/],
    ['* 5L * * *', /"5l" in the hour field/],
    ['0 0 30 2 *', /never comes/],
  ])('says what is wrong with %j', (text, message) => expect(() => parseCron(text)).toThrow(message));
});
