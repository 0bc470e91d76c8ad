import { expect, it } from 'vitest';

import { visible } from './visible-text.js';

it('writes out what nobody sees', () => {
  expect(visible('a\u202eb\u2800c\ud83c\udffb\u{e0100}\nd')).toBe(
    'a\\u{202e}b\\u{2800}c\ud83c\udffb\\u{e0100}\nd',
  );
});
