import { describe, expect, it } from 'vitest';

import { called, endWithEachTest, folder, LANGUAGES, open, source } from './test/kept.js';

const PRINTS = {
  node: source('node', "for (let i = 0; i < 50_000; i++) console.log('line ' + i);\nreturn 1;"),
  python: source('python', 'for i in range(50_000): print("line", i)\nreturn 1'),
};

describe.each(LANGUAGES)('a function of %s that is called once', (language) => {
  endWithEachTest();

  it('has all that it has printed in its log, however fast', async () => {
    const box = await open({ kept: false });
    const app = folder(PRINTS[language]);
    for (let n = 0; n < 3; n++) {
      const { code, stdout, stderr } = await called(box, language, app);
      expect({ code, stdout, lines: stderr.split('\n').length - 1 }).toEqual({
        code: 0,
        stdout: '1',
        lines: 50_000,
      });
    }
  });
});
