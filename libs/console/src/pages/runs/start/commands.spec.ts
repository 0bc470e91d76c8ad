import { execFileSync } from 'node:child_process';

import { describe, expect, it } from 'vitest';

import { type RunRequest, cliCommand, curlCommand, javascriptCall, quoted } from './commands.js';

const AWKWARD = `it's "5" $HOME \`id\` \\ <b>\n\u2028 -x é`;

const request = (inputs: Record<string, unknown>): RunRequest => ({
  slug: 'weather',
  inputs,
  workspace: 'acme',
  environment: 'staging',
  origin: 'https://gatehouse.example.com',
});

/** The arguments that a real shell makes of a command, whose first word is a function that prints them. */
function argumentsOf(command: string): string[] {
  const [name] = command.split(' ', 1);
  const script = `${name}() { printf '%s\\0' "$@"; }\n${command}`;
  const out = execFileSync('sh', ['-c', script], { env: { GATEHOUSE_TOKEN: 'token-1', HOME: '/nowhere' } });
  return out.toString().split('\0').slice(0, -1);
}

describe('quoted', () => {
  it.each(['', AWKWARD, "''", '~', '*', '#x', 'a b', 'plain-1.0'])('keeps %j as it is in a shell', (text) => {
    expect(argumentsOf(`show ${quoted(text)}`)).toEqual([text]);
  });
});

describe('curlCommand', () => {
  it('sends exactly the inputs', () => {
    const args = argumentsOf(curlCommand(request({ city: AWKWARD })));
    expect(JSON.parse(args.at(-1)!)).toEqual({ inputs: { city: AWKWARD } });
    expect(args).toContain('https://gatehouse.example.com/v1/scripts/weather/runs');
    expect(args).toContain('X-Environment: staging');
  });

  it('takes the token from the environment', () => {
    const command = curlCommand(request({}));
    expect(command).not.toContain('token-1');
    expect(argumentsOf(command)).toContain('Authorization: Bearer token-1');
  });
});

describe('cliCommand', () => {
  it('gives each input as an option', () => {
    const inputs = { city: AWKWARD, days: 3, mail: true, quiet: false, tags: ['a b'], note: '-x', empty: '' };
    expect(argumentsOf(cliCommand(request(inputs)))).toEqual([
      'run',
      'weather',
      ...['--city', AWKWARD],
      ...['--days', '3'],
      '--mail',
      '--no-quiet',
      ...['--tags', '["a b"]'],
      '--note=-x',
      '--empty=',
      ...['--workspace', 'acme'],
      ...['--env', 'staging'],
    ]);
  });
});

describe('javascriptCall', () => {
  it('is a program that sends exactly the inputs', async () => {
    const text = javascriptCall(request({ city: AWKWARD, list: [1, { a: null }] }));
    const body = await new Promise<string>((resolve) => {
      const fetch = (_: string, options: { body: string }): Promise<object> => {
        resolve(options.body);
        return Promise.resolve({ ok: true, json: () => ({}) });
      };
      const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
      void (new AsyncFunction('fetch', text) as (own: unknown) => unknown)(fetch);
    });
    expect(JSON.parse(body)).toEqual({ inputs: { city: AWKWARD, list: [1, { a: null }] } });
  });

  it('cannot end a script element that it is put into', () => {
    expect(javascriptCall(request({ city: '</script>' }))).not.toContain('</script');
  });
});
