import { jsonLanguage } from '@codemirror/lang-json';
import { pythonLanguage } from '@codemirror/lang-python';
import { describe, expect, it } from 'vitest';

import { treeProblems } from './tree-problems.js';

const ofPython = (text: string) => treeProblems(pythonLanguage.parser.parse(text), text);

describe('problems of Python', () => {
  it.each([
    'def one():\n    yield\n    yield  # nothing\n\n',
    'whole = (rest * (24.*3600.))\n',
    'match one:\n    case Other():\n        pass\n    case Third(1, name=two):\n        pass\n',
    'import os\n\n\f\ndef one(): ...\n',
    'type Names = list[str]\ndef first[T](of: list[T]) -> T: ...\n',
  ])('there are none in %j', (text) => {
    expect(ofPython(text)).toEqual([]);
  });

  it.each([
    ['print("a"\n', 5, 6, 'This ( is never closed.'],
    ['def f(:\n    pass\n', 5, 6, 'This ( is never closed.'],
    ['f(one two)\n', 6, 9, 'two is not expected here.'],
    ['else:\n    pass\n', 0, 4, 'else is not expected here.'],
    ['class A:\n', 7, 8, 'Something is missing here.'],
  ])('of %j are told with their place', (text, from, to, message) => {
    expect(ofPython(text)[0]).toEqual({ from, to, message });
  });

  it('are few, however many there are', () => {
    expect(ofPython('= )\n'.repeat(500)).length).toBe(20);
  });
});

it('finds those of JSON', () => {
  const text = '{"one": 1,\n "two": [2\n}';
  expect(treeProblems(jsonLanguage.parser.parse(text), text).length).toBeGreaterThan(0);
});
