import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Client, type TestWorkspace } from '../../../libs/testing/index.js';
import { CommandLine } from '../../support/command-line.js';
import { client, newWorkspace } from '../../support/gatehouse.js';
import { python } from '../../support/scripts.js';

let installed: CommandLine;
let commandLine: CommandLine;
let workspace: TestWorkspace;
let api: Client;

beforeAll(async () => {
  [installed, workspace] = await Promise.all([CommandLine.build(), newWorkspace()]);
  commandLine = installed.as(workspace.owner.token, workspace.slug);
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
  for (const name of ['first', 'second']) await api.post('/v1/workspace/environments', { name });
});
afterAll(() => installed?.remove());

const printed = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await commandLine.run(args);
  expect([code, stderr], args.join(' ')).toEqual([0, '']);
  return stdout;
};

describe('--jq', () => {
  it('prints texts as they are and all else as JSON', async () => {
    expect(await printed('env', 'list', '--jq', '.[].name')).toBe('second\nfirst\nproduction\n');
    expect(await printed('env', 'list', '-q', 'map({n: .name}) | first')).toBe('{"n":"second"}\n');
    const expression = '.[] | select(.isDefault) | [.name, .approvalPolicy] | @tsv';
    expect(await printed('env', 'list', '--jq', expression)).toBe('production\tnone\n');
  });

  it('goes through the fields of --json', async () => {
    expect(await printed('env', 'list', '--json', 'name', '--jq', 'map(keys) | unique')).toBe('[["name"]]\n');
    expect(await printed('whoami', '--json', 'person.name,role', '--jq', '.["person.name"]')).toBe(
      'Olive Owner\n',
    );
  });

  it('takes what comes from the interface, and changes no number', async () => {
    const { slug } = await python(api, 'print(\'{"a": 12345678901234567890}\')');
    const run = await commandLine.run(['run', slug, '--jq', '.id']);
    expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(/^run_\w+\n$/) });
    const id = run.stdout.trim();
    expect(await printed('api', 'GET', `/runs/${id}`, '--jq', '.output.a')).toBe('12345678901234567890\n');
    expect(await printed('runs', 'view', id, '--jq', '.output.a')).toBe('12345678901234567890\n');
    expect(await printed('runs', 'view', id, '--json', 'output')).toBe(
      '{"output":{"a":12345678901234567890}}\n',
    );
    expect(await printed('runs', 'view', id)).toContain('{"a":12345678901234567890}');
    const all = ['api', 'GET', '/workspace/environments', '-f', 'limit=1', '--paginate', '--jq', 'length'];
    expect(await printed(...all)).toBe('3\n');
  });

  it('sends numbers as they were typed, and says which the service cannot keep', async () => {
    const { slug } = await python(api, 'print(open(__import__("os").environ["GATEHOUSE_INPUTS"]).read())', {
      inputSchema: { type: 'object', properties: { id: { anyOf: [{ type: 'integer' }, { type: 'null' }] } } },
    });
    expect(await commandLine.run(['run', slug, '--id', '9007199254740991'])).toMatchObject({
      stdout: '{"id":9007199254740991}\n',
    });
    const large = '8202522731445525542';
    const tries: [string[], string?][] = [
      [['run', slug, '--id', large]],
      [['runs', 'batch', slug, '-'], `{"id":1}\n{"id":${large}}\n`],
      [['api', 'POST', `/scripts/${slug}/runs`, '-F', `inputs={"id":${large}}`]],
      [['api', 'POST', `/scripts/${slug}/runs`, '--input', '-'], `{"inputs":{"id":${large}}}`],
    ];
    for (const [args, input] of tries) {
      const refused = await commandLine.run(args, input);
      expect(refused.code, args.join(' ')).not.toBe(0);
      expect(refused.stderr).toContain('cannot be kept exactly');
    }
  });

  it('says what is wrong with an expression', async () => {
    const wrong = await commandLine.run(['env', 'list', '--jq', '.[] |']);
    expect(wrong).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('syntax error') });
    const unfit = await commandLine.run(['env', 'list', '--jq', '.name']);
    expect(unfit).toMatchObject({ code: 1, stderr: expect.stringContaining('Cannot index array') });
  });

  it('sees nothing of this machine', async () => {
    expect(await printed('env', 'list', '--jq', '$ENV | has("GATEHOUSE_TOKEN")')).toBe('false\n');
    const module = await commandLine.run(['env', 'list', '--jq', 'import "/etc/passwd" as $x; $x']);
    expect(module).toMatchObject({ code: 2, stdout: '' });
  });

  it('is laid out for a person, without what moves the cursor', async () => {
    const terminal = commandLine.terminal(['env', 'list', '--jq', '.[0] | {name}, "\\u001b[31mred"']);
    expect(await terminal.ended, terminal.text).toBe(0);
    expect(terminal.raw).toContain('{\r\n  "name": "second"\r\n}\r\n\ufffd[31mred');
  });
});
