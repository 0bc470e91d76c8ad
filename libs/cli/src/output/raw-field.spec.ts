import { expect, it } from 'vitest';

import { rawField } from './raw-field.js';

it.each([
  ['{"output":12345678901234567890}', '12345678901234567890'],
  ['{"a":{"output":1},"output":{"b":[1.10,{"output":2}]},"c":3}', '{"b":[1.10,{"output":2}]}'],
  ['{"a":"output","b":"\\"output\\":1","output" : [1e400] }', '[1e400]'],
  ['{"output":"a, \\"b\\" }","z":1}', '"a, \\"b\\" }"'],
  ['{"outp\\u0075t":true}', 'true'],
  ['{"a":["output",1]}', null],
  ['{}', null],
])('finds the field of %s', (json, found) => {
  expect(rawField(json, 'output')).toBe(found);
});
