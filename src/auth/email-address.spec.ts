import { describe, expect, it } from 'vitest';

import { processorTime } from '../../libs/fuzz/index.js';
import { emailProblem } from './email-address.js';

describe('an e-mail address', () => {
  it.each([
    'ada@example.com',
    ' Ada.Lovelace+gate@Example.CO.UK ',
    'owner@localhost',
    "o'neil@sub.example.com",
    'zoë@bücher.example',
    'Zoe\u0308@example.com',
    'علي@مثال.example',
    `${'x'.repeat(64)}@example.com`,
  ])('may be %j', (address) => {
    expect(emailProblem(address)).toBeNull();
  });

  it.each([
    '',
    ' ',
    'ada',
    '@example.com',
    'ada@',
    'ada@@example.com',
    'ada@example.com, eve@example.com',
    'Ada <ada@example.com>',
    'ada lovelace@example.com',
    'ada@exa mple.com',
    'ada@example..com',
    '.ada@example.com',
    'ada.@example.com',
    'a..da@example.com',
    'ada@-example.com',
    'ada@example-.com',
    '"ada"@example.com',
    'ada@[127.0.0.1]',
    'ada\u200b@example.com',
    'ada\u200d@example.com',
    '\u202eada@example.com',
    'ada@example.com\n',
    'ada\r\nbcc: eve@example.com',
    'ada\u0000@example.com',
    `${'x'.repeat(65)}@example.com`,
    `ada@${'x'.repeat(64)}.com`,
    `ada@${'x.'.repeat(130)}com`,
  ])('cannot be %j', (text) => {
    expect(emailProblem(text)).toMatch(/./);
  });

  it('is judged in no time, however odd', async () => {
    const time = await processorTime(() => {
      emailProblem(`${'a.'.repeat(200_000)}@`);
      emailProblem(`a@${'a-'.repeat(200_000)}`);
    });
    expect(time).toBeLessThan(5_000);
  });
});
