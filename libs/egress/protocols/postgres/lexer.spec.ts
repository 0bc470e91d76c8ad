import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzz } from '../../../fuzz/index.js';
import { Judge } from './judge.js';
import { lex, Unreadable } from './lexer.js';

const read = (sql: string): string =>
  lex(sql)
    .tokens.map(({ kind, text }) => `${kind}:${text}`)
    .join(' ');

describe('the SQL lexer', () => {
  it.each([
    ['SELECT a.B$1', 'word:select word:a sign:. word:b$1'],
    ['"a""B" U', 'name:a"B word:u'],
    ["'it''s' B'01' N'x' U&'\\0041' E'a\\'b'", "string:it's string:01 string:x escaped:\\0041 escaped:a\\'b"],
    ["U&'a\\' b U&'c''d' UESCAPE '!'", "escaped:a\\ word:b escaped:c'd word:uescape string:!"],
    ["U&'a\\'\n'b\\' u&'c'", 'escaped:a\\ string:b\\ escaped:c'],
    ['a--b\nc /* d /* e */ f */ g --', 'word:a word:c word:g'],
    ["$$a'$$ $x$b$$c$x$ $1 a$$b", "string:a' string:b$$c parameter:$1 word:a$$b"],
    [
      '1 1.5 .5 1e-3 0x1F 1..2',
      'number:1 number:1.5 number:.5 number:1e-3 number:0x1F number:1 sign:. number:.2',
    ],
    ['a*/**/b /**/ c', 'word:a sign:* word:b word:c'],
    ["ee'x'", 'word:ee string:x'],
    ["e 'x'", 'word:e string:x'],
    ['', ''],
    [`${'a'.repeat(64)} "${'b'.repeat(63)}"`, `word:${'a'.repeat(63)} name:${'b'.repeat(63)}`],
  ])('reads %s', (sql, tokens) => {
    expect(read(sql)).toBe(tokens);
  });

  it.each([
    ...[
      "'a",
      "E'a\\'",
      '"a',
      '/* a',
      '/* /* */',
      '$$a',
      '$a$ $A$',
      "E'a'\n'b'",
      'U&"a"',
      "1E'x'",
      '1a',
      '$1a',
      '$',
    ],
  ])('refuses to guess at %s', (sql) => {
    expect(() => lex(sql)).toThrow(Unreadable);
  });

  it.each([
    ["'\\'", true],
    ["'\\d+'", false],
    ["'a\\''b'", true],
    ["E'\\\\'", false],
    ['\xe3\x83\x5c', true],
    ['\xe3\x83\x83', false],
  ])('knows what would be read otherwise: %s', (sql, isAmbiguous) => {
    expect(lex(sql).isAmbiguous).toBe(isAmbiguous);
  });

  it('lets no text of pieces pass that writes', async () => {
    const judge = new Judge({ readOnly: true, role: null, statementTimeoutMs: null });
    const piece = fc.constantFrom(
      ...[
        'SELECT',
        ' ',
        '\n',
        "'",
        '"',
        '$$',
        '$a$',
        '/*',
        '*/',
        '--',
        ';',
        '(',
        ')',
        'E',
        'U&',
        '\\',
        "''",
        ',',
        'x',
        '1',
      ],
      ...[
        'INSERT INTO t ',
        'DELETE FROM t ',
        'COMMIT',
        'set_config',
        '\xc3\xa9',
        '.',
        'AS',
        '=',
        'SET',
        'EXPLAIN ',
        'WITH',
      ],
    );
    await fuzz(
      'SQL lexer',
      fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
        const sql = pieces.join('');
        const { refusal } = judge.judge(Buffer.from(sql, 'latin1'));
        if (refusal) {
          expect(refusal.code).toMatch(/^(?:25006|42501)$/);
          return;
        }
        const { tokens } = lex(sql);
        for (const [at, { kind, text }] of tokens.entries()) {
          if (kind !== 'word' || tokens[at - 1]?.text === '.') continue;
          const next = tokens[at + 1];
          expect(`${text} ${next?.kind === 'word' ? next.text : ''}`).not.toMatch(
            /^(?:insert into|delete from)$/,
          );
        }
      }),
      { runs: 2_000 },
    );
  });
});
