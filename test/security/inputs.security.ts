import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, inject, it } from 'vitest';

import type { Answer } from '../../libs/testing/index.js';
import { archiveOf, newSlug, runUntil } from '../support/scripts.js';
import { anAttacker, commandLine, newMarker, processesWith } from './support/attack.js';

const attacker = anAttacker();

describe('inputs', () => {
  const ECHO = 'print(json.dumps(sys.argv[1:]))';

  it.each([
    '; touch /outputs/injected',
    '$(touch /outputs/injected)',
    '`touch /outputs/injected`',
    '&& touch /outputs/injected',
    '| tee /outputs/injected',
    '> /outputs/injected',
    '" ; touch /outputs/injected ; "',
    "' ; touch /outputs/injected ; '",
    'a\ntouch /outputs/injected',
    '$IFS$PATH ${HOME} ~ * ? [a-z] {a,b} !!',
    '\\',
    '{other}',
    '-c import os',
    '--help',
    '-',
  ])('%j is one argument, as it is', async (text) => {
    const run = await attacker.attempt(
      ECHO,
      { command: 'python3 main.py {text} "quoted {text}" last', inputSchema: undefined },
      { text },
    );
    expect(run).toMatchObject({ status: 'succeeded', output: [text, `quoted ${text}`, 'last'], files: [] });
  });

  it('cannot be the program, nor an option of the interpreter', async () => {
    const slug = newSlug();
    await attacker.api.post('/v1/scripts', { slug, name: slug });
    const archive = await archiveOf({ 'main.py': ECHO });
    for (const command of ['{program} main.py', 'py{x}thon3 main.py']) {
      const { status, body } = await attacker.api.post(`/v1/scripts/${slug}/versions`, { archive, command });
      expect(status).toBe(400);
      expect(body.error.details[0].path).toBe('command');
    }
  });

  it.each([
    ['a NUL character', '{"inputs": {"text": "a\\u0000b"}}', 'inputs.text'],
    ['half of a surrogate pair', '{"inputs": {"text": "\\ud800"}}', 'inputs.text'],
    ['such a name', '{"inputs": {"a\\u0000b": 1}}', 'inputs.a\0b'],
    ['the name __proto__', '{"inputs": {"__proto__": {"polluted": 1}}}', 'inputs.__proto__'],
    ['the name __proto__ deep inside', '{"inputs": {"a": [{"__proto__": {}}]}}', 'inputs.a.0.__proto__'],
  ])('with %s are refused', async (_, body, path) => {
    const script = await attacker.script(ECHO);
    const answer = await attacker.api.post(`/v1/scripts/${script.slug}/runs`, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details[0].path).toBe(path);
  });

  it('named as what every object has are ordinary', async () => {
    const given = {
      constructor: { prototype: { polluted: 1 } },
      toString: 'a',
      hasOwnProperty: 'b',
      then: 'c',
    };
    const { output } = await attacker.attempt('print(json.dumps(inputs()))', {}, given);
    expect(output).toEqual(given);
    const { status, body } = await attacker.api.post(
      `/v1/scripts/${(await attacker.script(ECHO, { inputSchema: { required: ['constructor'] } })).slug}/runs`,
      { inputs: {} },
    );
    expect(status).toBe(400);
    expect(body.error.details[0].path).toBe('inputs.constructor');
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'a field %s beside them is refused',
    async (name) => {
      const script = await attacker.script(ECHO);
      const { status, body } = await attacker.api.post(
        `/v1/scripts/${script.slug}/runs`,
        `{"inputs": {}, "${name}": {"polluted": true}}`,
      );
      expect(status).toBe(400);
      expect(body.error.details[0].path).toBe(name);
    },
  );

  it('nested, long or malformed without measure are refused', async () => {
    const script = await attacker.script(ECHO);
    const start = (body: string | Uint8Array): Promise<Answer> =>
      attacker.api.post(`/v1/scripts/${script.slug}/runs`, body);
    expect((await start(`{"inputs": {"a": ${'['.repeat(100_000)}${']'.repeat(100_000)}}}`)).status).toBe(400);
    expect((await start(`{"inputs": {"a": "${'x'.repeat(1_100_000)}"}}`)).status).toBe(413);
    expect((await start(Buffer.from('{"inputs": {"a": "\xff\xfe"}}', 'latin1'))).status).toBe(400);
    expect((await start('{"inputs": {"a": 1}')).status).toBe(400);
  });
});

describe('secrets', () => {
  it('are in no command line of this machine: neither ours, nor what a script is given besides arguments', async () => {
    const [argument, other] = [newMarker(), newMarker()];
    const script = await attacker.script('sys.stderr.write("up\\n"); time.sleep(30)', {
      command: 'python3 main.py {argument}',
      inputSchema: { properties: { argument: { type: 'string' }, other: { type: 'string' } } },
      timeout: 31,
    });
    const { body } = await attacker.api.post(`/v1/scripts/${script.slug}/runs`, {
      inputs: { argument, other },
    });
    await runUntil(attacker.api, body.id, (run) => run.logLines > 0);
    // Arguments are visible to other users of the machine, as those of any program are; so the docs say.
    expect(processesWith(argument).map(commandLine).sort()).toEqual(
      expect.arrayContaining([`python3 main.py ${argument} `]),
    );
    const key = (await readFile(join(inject('dataDirectory'), 'master.key'), 'utf8')).trim();
    const secrets = {
      'an input that is no argument': other,
      'what stands in its environment': body.id,
      'the master key': key,
      'the password of the database': new URL(inject('databaseUrl')).password,
      'a token': attacker.headers.authorization.replace('Bearer ', ''),
    };
    for (const [what, secret] of Object.entries(secrets)) {
      expect(secret.length).toBeGreaterThan(15);
      expect([what, processesWith(secret)]).toEqual([what, []]);
    }
    await attacker.api.post(`/v1/runs/${body.id}/cancel`);
  });
});
