import { describe, expect, it } from 'vitest';

import { processorTime } from '../fuzz/index.js';
import { InvalidInput } from '../invalid-input/index.js';
import { parseCommand } from './parse-command.js';
import { renderCommand } from './render-command.js';

const render = (text: string, inputs: Record<string, unknown> = {}) =>
  renderCommand(parseCommand(text), inputs);
const EMPTY = [undefined, null, '', [], {}];

describe('renderCommand', () => {
  it.each(['San Francisco', '"; rm -rf / #', '$(id)', 'a b\n"c" \'d\'', '{city}', '[x]', '--flag', ' '])(
    'keeps a bare input one argument: %j',
    (city) => {
      expect(render('python main.py --city {city}', { city })).toEqual(['python', 'main.py', '--city', city]);
    },
  );

  it.each(EMPTY)('drops a bare input that is %j', (city) => {
    expect(render('a {city} b', { city })).toEqual(['a', 'b']);
  });

  it.each(EMPTY)('puts nothing into text for %j', (city) => {
    expect(render('a --city={city} "{city}"', { city })).toEqual(['a', '--city=', '']);
  });

  it.each<[unknown, string]>([
    [false, 'false'],
    [true, 'true'],
    [0, '0'],
    [-1.5, '-1.5'],
    [1e21, '1e+21'],
    [[1, 'a b'], '[1,"a b"]'],
    [{ a: { b: null } }, '{"a":{"b":null}}'],
    [[null], '[null]'],
    ['0', '0'],
  ])('writes %j as %s', (value, text) => {
    expect(render('a {v} x{v}', { v: value })).toEqual(['a', text, `x${text}`]);
    expect(render('a [--v {v}]', { v: value })).toEqual(['a', '--v', text]);
  });

  it('leaves a group out when every input in it is missing or empty', () => {
    for (const unit of EMPTY) expect(render('a [--unit {unit}] b', { unit })).toEqual(['a', 'b']);
    expect(render('a [--range {from} {to}]', { to: 3 })).toEqual(['a', '--range', '3']);
    expect(render('a [--range {from} {to}]', { from: '', to: null })).toEqual(['a']);
  });

  it('takes a group as part of an argument', () => {
    expect(render('a --city={city}[,{country}]', { city: 'Rome', country: 'IT' })).toEqual([
      'a',
      '--city=Rome,IT',
    ]);
    expect(render('a --city={city}[,{country}]', { city: 'Rome' })).toEqual(['a', '--city=Rome']);
    expect(render('a "x[ y {z}]"', { z: 1 })).toEqual(['a', 'x y 1']);
    expect(render('a [ --unit  {unit} ]', { unit: 'C' })).toEqual(['a', '--unit', 'C']);
  });

  it('joins inputs inside one argument', () => {
    expect(render('a {x}{y}', { x: 1, y: 'b c' })).toEqual(['a', '1b c']);
    expect(render('a {x}{y}')).toEqual(['a']);
  });

  it('takes no value from the prototype of the inputs', () => {
    expect(render('a {constructor} {toString}')).toEqual(['a']);
  });

  it('writes a file as its path, several as a list', () => {
    const template = parseCommand('a {doc} --all={docs}');
    const filePaths = { doc: '/inputs/doc/a b.csv', docs: ['/inputs/docs/1', '/inputs/docs/2'] };
    expect(renderCommand(template, { doc: 'fil_1', docs: ['fil_2', 'fil_3'] }, { filePaths })).toEqual([
      'a',
      '/inputs/doc/a b.csv',
      '--all=["/inputs/docs/1","/inputs/docs/2"]',
    ]);
  });

  function refusal(text: string, inputs: Record<string, unknown>): { path: string; message: string } {
    try {
      renderCommand(parseCommand(text), inputs, { advice: 'read the file instead' });
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidInput);
      return (error as InvalidInput).details![0]!;
    }
    throw new Error('accepted');
  }

  it('refuses an argument that no program can be given, with the advice at the end', () => {
    const most = 128 * 1024 - 1;
    expect(render('a {x}', { x: 'y'.repeat(most) })[1]).toHaveLength(most);
    for (const x of ['y'.repeat(most + 1), 'é'.repeat(most / 2 + 1), 'a\0b']) {
      const detail = refusal('a {x}', { x });
      expect(detail.path).toBe('inputs.x');
      expect(detail.message).toMatch(/; read the file instead$/);
    }
  });

  it('refuses arguments over 1 MiB in all', () => {
    const text = `a ${'{x} '.repeat(9)}`;
    expect(refusal(text, { x: 'y'.repeat(130_000) }).path).toBe('inputs');
  });

  it('puts together no argument that is too large, however often a large input is named', async () => {
    const text = `a "${'{x}'.repeat(600)}" ${'{x} '.repeat(60)}`;
    const time = await processorTime(() => {
      const detail = refusal(text, { x: 'y'.repeat(1_000_000) });
      expect(detail.message).toMatch(/^makes an argument of 600000000 bytes/);
      expect(refusal(text, { x: Array.from({ length: 300_000 }, () => ({})) }).path).toBe('inputs.x');
    });
    expect(time).toBeLessThan(10_000);
  });
});
