import { describe, expect, it } from 'vitest';

import { scriptProblems } from './script-problems.js';

const TYPED = { isTyped: true, hasElements: false };

describe('problems of JavaScript and TypeScript', () => {
  it.each([
    [
      '@Injectable()\nexport class One {\n  constructor(@Inject(KEY) private readonly other: Other) {}\n}',
      TYPED,
    ],
    [
      'const all: number[] = [];\nall[0]! += 1;\nexport default (one: string) => one satisfies string;',
      TYPED,
    ],
    ['const out = await fetch("https://example.com");\nreturn out;', { isTyped: false, hasElements: true }],
    ['module.exports = { main: () => <p>yes</p> };', { isTyped: false, hasElements: true }],
  ])('there are none in %s', (text, kind) => {
    expect(scriptProblems({ text, ...kind })).toEqual([]);
  });

  it('are told with their place', () => {
    const text = 'const one = 1;\nconst one = 2;\n';
    expect(scriptProblems({ text, ...TYPED })).toEqual([
      { from: 21, to: 24, message: "Identifier 'one' has already been declared." },
    ]);
    const [problem] = scriptProblems({ text: 'call(1, 2', ...TYPED });
    expect(problem).toMatchObject({ message: 'Unexpected token, expected ","' });
  });
});
