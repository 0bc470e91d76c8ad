import { describe, expect, it } from 'vitest';

import { parseForStringify, parseWithDigits } from './parse-numbers.js';
import { placeInJson } from './place-in-json.js';
import { RawJson, stringifyJson } from './raw-json.js';

describe('placeInJson', () => {
  it.each([
    ['1e400', ''],
    ['[0, 1e400]', '1'],
    ['{"items": [{"id": 1}, {"x": ["a", "b"], "id" : 1e400}]}', 'items.1.id'],
    ['{"a": {"b": {}}, "c\\u0022:,": [[], [[1e400]]]}', 'c":,.1.0.0'],
  ])('of 1e400 in %s is %j', (text, place) => expect(placeInJson(text, text.indexOf('1e400'))).toBe(place));
});

describe('parseForStringify', () => {
  it.each(['[9007199254740993,1e400,{"a":0.1,"b":"1e400"}]', '12345678901234567890', '[1,2]'])(
    'keeps %s',
    (text) => expect(JSON.stringify(parseForStringify(text))).toBe(text),
  );
});

describe('parseWithDigits', () => {
  it('makes texts of the numbers that would be others', () =>
    expect(parseWithDigits('[8202522731445525542,{"a":-1e400},"1e400",0.10000000000000001,7]')).toEqual([
      '8202522731445525542',
      { a: '-1e400' },
      '1e400',
      0.1,
      7,
    ]));
});

describe('stringifyJson', () => {
  it('puts raw texts in their places', () => {
    const raw = new RawJson('{"n":1e400,"$&":"$1"}');
    expect(stringifyJson({ a: raw, list: [raw, 1], text: 'raw:0' })).toBe(
      `{"a":${raw.text},"list":[${raw.text},1],"text":"raw:0"}`,
    );
    expect(stringifyJson(raw)).toBe(raw.text);
    expect(stringifyJson({ a: 1 })).toBe('{"a":1}');
    expect(stringifyJson(undefined)).toBe(undefined);
  });

  it('is a value for whoever knows nothing of it', () => {
    expect(JSON.stringify([new RawJson(' {"a": 1}')])).toBe('[{"a":1}]');
  });
});
