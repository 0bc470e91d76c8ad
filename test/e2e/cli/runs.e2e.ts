import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../../libs/testing/index.js';
import { CTRL_C, CommandLine } from '../../support/command-line.js';
import { client, newWorkspace } from '../../support/gatehouse.js';
import { finished, python, runUntil } from '../../support/scripts.js';

let installed: CommandLine;
let commandLine: CommandLine;
let workspace: TestWorkspace;
let api: Client;

beforeAll(async () => {
  [installed, workspace] = await Promise.all([CommandLine.build(), newWorkspace()]);
  commandLine = installed.as(workspace.owner.token, workspace.slug);
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
});
afterAll(() => installed?.remove());

const ECHO = `import json, os
print(json.dumps(json.load(open(os.environ['GATEHOUSE_INPUTS'])), sort_keys=True))`;
const SCHEMA = {
  type: 'object',
  required: ['city'],
  additionalProperties: false,
  properties: {
    city: { type: 'string', description: 'Where to look' },
    days: { type: 'integer', default: 3 },
    verbose: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    filter: { type: 'object' },
    wait: { type: 'string' },
  },
};

const lastRun = async (slug: string) => (await api.get(`/v1/runs?script=${slug}&limit=1`)).body.items[0];

describe('inputs', () => {
  let slug: string;
  beforeAll(async () => {
    ({ slug } = await python(api, ECHO, { inputSchema: SCHEMA, command: 'python3 main.py' }));
    await writeFile(join(installed.directory, 'city.txt'), 'Berlin');
  });

  it('are options, by their types', async () => {
    const args = [
      '--city',
      'Köln',
      '--days=5',
      '--verbose',
      '--tags',
      'a',
      '--tags',
      'b',
      '--filter',
      '{"x": 1}',
    ];
    const { code, stdout, stderr } = await commandLine.run(['run', slug, ...args, '--input', 'wait=no']);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({
      city: 'Köln',
      days: 5,
      verbose: true,
      tags: ['a', 'b'],
      filter: { x: 1 },
      wait: 'no',
    });
    expect(await lastRun(slug)).toMatchObject({ interface: 'cli', status: 'succeeded' });
  });

  it('are texts of files, or begin with an @', async () => {
    const file = await commandLine.run(['run', slug, '--city', '@city.txt']);
    expect(JSON.parse(file.stdout).city).toBe('Berlin');
    const at = await commandLine.run(['run', slug, '--city', '@@home']);
    expect(JSON.parse(at.stdout).city).toBe('@home');
  });

  it('are listed', async () => {
    const { code, stdout } = await commandLine.run(['run', slug, '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/--city +Where to look \(text, required\)/);
    expect(stdout).toMatch(/--days +\(a whole number, default 3\)/);
    expect(stdout).toMatch(/--tags +\(text, any number of times\)/);
  });

  it.each([
    [['--town', 'Berlin'], 'The script has no input "town".\nIt has: --city, --days'],
    [['--days', 'three'], '--days has to be a whole number, not "three".'],
    [['--city'], '--city needs a value.'],
    [['Berlin'], 'What is "Berlin"?'],
    [[], 'inputs.city'],
  ])('are refused: %j', async (args, message) => {
    const { code, stdout, stderr } = await commandLine.run(['run', slug, ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});

describe('a run', () => {
  it('is tried again as the options say, and shows its attempts', async () => {
    const code = 'import os, sys\nsys.exit(75 if os.environ["GATEHOUSE_ATTEMPT"] == "1" else 0)';
    const { slug } = await python(api, code, { timeout: 60 });
    expect((await commandLine.run(['run', slug])).code).toBe(1);
    const retry = '{"attempts": 2, "delay": 0, "on": ["exit:75"]}';
    const { code: done, stderr } = await commandLine.run(['run', slug, '--retry', retry]);
    expect([done, stderr]).toEqual([0, '']);
    const { id } = await lastRun(slug);
    const shown = await commandLine.run(['runs', 'view', id]);
    expect(shown.stdout).toMatch(/Attempts +1: exit code 75; 2: well\n/);
    expect((await commandLine.run(['run', slug, '--retry', '1'])).code).toBe(1);
    expect(await commandLine.run(['run', slug, '--retry=often'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--retry has to be'),
    });
    expect(await commandLine.run(['run', slug, '--retry', '11'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('retry.attempts'),
    });
  });

  it('starts later as the options say, and says why it has not begun', async () => {
    const { slug } = await python(api, 'print(1)');
    const turn = ['--start-at', '2h', '--expires-at', '3h', '--priority', '4'];
    const { code, stdout, stderr } = await commandLine.run(['run', slug, ...turn]);
    expect([code, stderr]).toEqual([0, expect.stringContaining('It starts at ')]);
    const id = stdout.trim();
    const shown = (await commandLine.run(['runs', 'view', id])).stdout;
    expect(shown).toMatch(/Status +running: delayed\n/);
    expect(shown).toMatch(/Starts +2\d{3}-[^\n]+\nExpires +2\d{3}-[^\n]+\nPriority +4\n/);
    expect(shown).toMatch(/Waits +It starts at /);
    await commandLine.run(['runs', 'cancel', id]);
    expect(await commandLine.run(['run', slug, '--priority', 'high'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--priority has to be'),
    });
    expect(await commandLine.run(['run', slug, '--start-at=soon'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--start-at'),
    });
    expect(await commandLine.run(['run', slug, '--start-at', '500d'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('startAt'),
    });
  });

  it('labels runs, finds them by labels and words, and lines of their logs by a text', async () => {
    const { slug } = await python(api, 'import sys\nsys.stderr.write("one\\ntwo ONE\\n")');
    const { code, stderr } = await commandLine.run(['run', slug, '--label', 'cli=a=b', '--label=nth=7']);
    expect(code, stderr).toBe(0);
    const list = async (...words: string[]): Promise<Json[]> => {
      const listed = await commandLine.run([
        'runs',
        'list',
        '--script',
        slug,
        '--json',
        'id,labels',
        ...words,
      ]);
      expect(listed.code, listed.stderr).toBe(0);
      return JSON.parse(listed.stdout) as Json[];
    };
    const [run] = await list('--label', 'cli=a=b', '--label', 'nth', '--status', 'failed,succeeded');
    expect(run!.labels).toEqual({ cli: 'a=b', nth: '7' });
    expect(await list('--label', 'nth=8')).toEqual([]);
    expect(await list('--min-seconds', '600')).toEqual([]);
    await expect.poll(() => list('--search', 'nth 7')).toHaveLength(1);
    const id = run!.id as string;
    expect((await commandLine.run(['runs', 'view', id])).stdout).toMatch(/Labels +cli=a=b nth=7\n/);
    expect((await commandLine.run(['logs', id, '--search', 'One'])).stdout).toBe('one\ntwo ONE\n');
    expect((await commandLine.run(['logs', id, '--search', 'two'])).stdout).toBe('two ONE\n');
    expect((await commandLine.run(['logs', id, '--times'])).stdout).toMatch(
      /^(\d{4}-\S+Z) one\n\1 two ONE\n$/,
    );
    const many = ['--label', 'nth=7', '--search', 'nth', '--dry-run', '--json'];
    const again = await commandLine.run(['runs', 'rerun', ...many]);
    expect(again.code, again.stderr).toBe(0);
    expect(JSON.parse(again.stdout)).toEqual({ matched: 1, more: false });
    for (const wrong of [
      ['run', slug, '--label', 'novalue'],
      ['runs', 'list', '--status', 'failed,odd'],
      ['runs', 'list', '--min-seconds', 'long'],
      ['runs', 'list', '--search', '&&'],
      ['logs', id, '--follow', '--search', 'x'],
      ['logs', id, '--all', '--search', 'x'],
      ['logs', id, '--all', '--follow'],
      ['logs', id, '--follow', '--times'],
    ]) {
      expect([wrong, (await commandLine.run(wrong)).code]).toEqual([wrong, 2]);
    }
  });

  it('waits for further starts where the script says so, and says how many it stands for', async () => {
    const { slug } = await python(api, 'print(1)', { debounce: { wait: 3_600 } });
    const first = await commandLine.run(['run', slug]);
    expect([first.code, first.stderr]).toEqual([
      0,
      expect.stringContaining('unless the script is started again before'),
    ]);
    const id = first.stdout.trim();
    expect((await commandLine.run(['run', slug])).stdout.trim()).toBe(id);
    const shown = (await commandLine.run(['runs', 'view', id])).stdout;
    expect(shown).toMatch(/Status +running: delayed\n/);
    expect(shown).toMatch(/Starts +2\d{3}-[^\n]+\nStands for +2 starts\n/);
    await commandLine.run(['runs', 'cancel', id]);
  });

  it('is planned, and shows what it would have sent', async () => {
    const code = `import urllib.error, urllib.request
try: urllib.request.urlopen(urllib.request.Request("https://api.example.com/v1/charges?a=1", b"amount=5"))
except urllib.error.HTTPError as error: print(error.code)`;
    const { slug } = await python(api, code, { hosts: ['api.example.com'] });
    const { code: exit, stdout, stderr } = await commandLine.run(['run', '--plan', slug]);
    expect([exit, stdout]).toEqual([
      0,
      '409\n1\tPOST\thttps://api.example.com/v1/charges?a=1\t8\tamount=5\n',
    ]);
    expect(stderr).toContain('planned: 1 request was not sent');
    const { id, plan } = await lastRun(slug);
    expect(plan).toBe(true);
    const json = await commandLine.run(['run', slug, '--plan', '--json=plan,planned']);
    expect(JSON.parse(json.stdout)).toMatchObject({ plan: true, planned: [{ method: 'POST' }] });
    const list = await commandLine.run(['runs', 'planned', id, '--json=number,body']);
    expect(JSON.parse(list.stdout)).toMatchObject([{ number: 1, body: { text: 'amount=5' } }]);
    expect((await commandLine.run(['runs', 'view', id])).stdout).toContain('nothing was sent, 1 planned');
    const ran = await commandLine.run(['runs', 'list', '--script', slug, '--no-plan', '--json=id']);
    expect(JSON.parse(ran.stdout)).toEqual([]);
    const plans = await commandLine.run(['runs', 'list', '--script', slug, '--plan', '--json=id']);
    expect(JSON.parse(plans.stdout)).toHaveLength(2);
  });

  it('writes its log to one stream and its output to the other', async () => {
    const code = 'import sys\nprint("working", file=sys.stderr)\nprint("{} \\x1b[31m")';
    const { slug } = await python(api, code, { timeout: 60 });
    const result = await commandLine.run(['run', slug]);
    expect(result).toEqual({ code: 0, stdout: '{} \x1b[31m\n', stderr: 'working\n' });
    const terminal = commandLine.terminal(['run', slug]);
    expect(await terminal.ended).toBe(0);
    expect(terminal.raw).not.toContain('\x1b[31m\r\n');
  });

  it('shows a person no line twice', async () => {
    const { slug } = await python(api, 'print("first")\nprint("last")');
    const terminal = commandLine.terminal(['run', slug]);
    expect(await terminal.ended).toBe(0);
    expect(terminal.text.match(/first|last/g)).toEqual(['first', 'last']);
    expect(await commandLine.run(['run', slug])).toMatchObject({ stdout: 'first\nlast\n' });
  });

  it('shows on a terminal how far it is, and colours only there', async () => {
    const code = `import sys, time
print("::progress 0.5 half way", file=sys.stderr, flush=True)
time.sleep(int(sys.argv[1]))
sys.exit(3)`;
    const { slug } = await python(api, code, { command: 'python3 main.py {seconds}', timeout: 60 });
    const terminal = commandLine.terminal(['run', slug, '--seconds', '5']);
    await terminal.shows('50 % half way');
    expect(await terminal.ended).toBe(1);
    expect(terminal.raw).toContain('\x1b[31mfailed:\x1b[0m exit code 3');
    const plain = commandLine.with({ NO_COLOR: '1' }).terminal(['run', slug, '--seconds', '0']);
    expect(await plain.ended).toBe(1);
    expect(plain.raw).not.toContain('\x1b[31m');
    const piped = await commandLine.run(['run', slug, '--seconds', '0']);
    expect(piped).toMatchObject({ code: 1, stdout: '', stderr: 'failed: exit code 3\n' });
  });

  it('gives its state as JSON', async () => {
    const { slug } = await python(api, 'print(42)');
    const { stdout } = await commandLine.run(['run', slug, '--json=status,output']);
    expect(JSON.parse(stdout)).toEqual({ status: 'succeeded', output: 42 });
  });

  it('changes no number', async () => {
    const { slug } = await python(api, 'print(\'{"a": 12345678901234567890, "b": 0.10000000000000000001}\')');
    const { stdout } = await commandLine.run(['run', slug]);
    expect(stdout.replaceAll(' ', '')).toBe('{"a":12345678901234567890,"b":0.10000000000000000001}\n');
  });

  it('takes files and gives them back', async () => {
    const code = 'import shutil, sys\nshutil.copy(sys.argv[1], "/outputs/copy.csv")';
    const inputSchema = { type: 'object', properties: { data: { type: 'string', format: 'file' } } };
    const { slug } = await python(api, code, { command: 'python3 main.py {data}', inputSchema });
    await writeFile(join(installed.directory, 'in.csv'), 'a,b\n1,2\n');
    const { code: exit, stderr } = await commandLine.run(['run', slug, '--data', '@in.csv']);
    expect(exit, stderr).toBe(0);
    const [, id] = /gatehouse files get (fil_\w+)/.exec(stderr)!;
    expect((await commandLine.run(['files', 'get', id!])).stderr).toBe('Wrote copy.csv.\n');
    expect(await readFile(join(installed.directory, 'copy.csv'), 'utf8')).toBe('a,b\n1,2\n');
    expect((await commandLine.run(['files', 'get', id!])).code).toBe(2);
    expect((await commandLine.run(['files', 'get', id!, '-o', '-'])).stdout).toBe('a,b\n1,2\n');
    expect((await commandLine.run(['files', 'list'])).stdout).toContain('copy.csv');
  });

  it('that is held says where it is decided, and is waited for if that is asked', async () => {
    const { slug } = await python(api, 'print("yes")');
    await api.patch(`/v1/scripts/${slug}`, { approvalPolicy: 'always' });
    const held = await commandLine.run(['run', slug]);
    expect(held).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(/at http\S+\/approvals\/apr_/),
    });
    const waiting = commandLine.start(['run', slug, '--wait']);
    await expect.poll(waiting.stderr).toContain('/approvals/');
    const [, id] = /approvals\/(apr_\w+)/.exec(waiting.stderr())!;
    const owner = client({ cookie: workspace.owner.cookie, workspace: workspace.slug });
    await owner.post(`/v1/workspace/approval-requests/${id}/approve`);
    expect(await waiting.ended).toMatchObject({ code: 0, stdout: 'yes\n' });
  });
});

describe('Ctrl-C', () => {
  const SLEEP = 'import sys, time\nprint("begun", file=sys.stderr, flush=True)\ntime.sleep(50)';

  it('asks a person whether the run is to be cancelled', async () => {
    const { slug } = await python(api, SLEEP, { timeout: 60 });
    const terminal = commandLine.terminal(['run', slug]);
    await terminal.shows('begun');
    terminal.type(CTRL_C);
    await terminal.shows('Cancel the run?');
    terminal.type('y\r');
    expect(await terminal.ended, terminal.text).toBe(1);
    expect(await lastRun(slug)).toMatchObject({ status: 'cancelled' });
  });

  it('twice leaves the run alone, and says how to come back', async () => {
    const { slug } = await python(api, SLEEP, { timeout: 60 });
    const terminal = commandLine.terminal(['run', slug]);
    await terminal.shows('begun');
    terminal.type(CTRL_C);
    await terminal.shows('Cancel the run?');
    terminal.type(CTRL_C);
    expect(await terminal.ended).toBe(1);
    expect(terminal.text).toContain('gatehouse runs watch run_');
    const { id, status } = await lastRun(slug);
    expect(status).toBe('running');
    expect(await commandLine.run(['runs', 'cancel', id])).toMatchObject({ code: 0 });
    expect(await runUntil(api, id, finished)).toMatchObject({ status: 'cancelled' });
  });

  it('cancels it where nobody can be asked', async () => {
    const { slug } = await python(api, SLEEP, { timeout: 60 });
    const { child, ended, stderr } = commandLine.start(['run', slug]);
    await expect.poll(stderr).toContain('begun');
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 1, stderr: expect.stringContaining('cancelled:') });
    expect(await lastRun(slug)).toMatchObject({ status: 'cancelled' });
  });
});

describe('runs that were', () => {
  it('have a whole log, which is printed and searched', async () => {
    const { slug } = await python(
      api,
      'import sys\nfor n in range(15000): print("line", n, file=sys.stderr)',
    );
    const { body } = await api.post(`/v1/scripts/${slug}/runs`, {});
    await runUntil(api, body.id, finished);
    const expected = Array.from({ length: 15_000 }, (_, number) => `line ${number}\n`).join('');
    const all = await commandLine.run(['logs', body.id, '--all']);
    expect([all.code, all.stdout === expected]).toEqual([0, true]);
    expect((await commandLine.run(['logs', body.id])).stdout).toContain('5,000 lines were dropped here');
    expect((await commandLine.run(['logs', body.id, '--search', 'LINE 4711'])).stdout).toBe('line 4711\n');
  });

  it('that are tried again have a log for each attempt', async () => {
    const code =
      'import os, sys\nprint("attempt", os.environ["GATEHOUSE_ATTEMPT"], file=sys.stderr)\nsys.exit(75)';
    const { slug } = await python(api, code, { retry: { attempts: 2, delay: 0, on: ['exit:75'] } });
    const { body } = await api.post(`/v1/scripts/${slug}/runs`, {});
    await runUntil(api, body.id, finished);
    const logs = async (...args: string[]) => (await commandLine.run(['logs', body.id, ...args])).stdout;
    expect(await logs()).toBe('attempt 1\nattempt 2\n');
    expect(await logs('--attempt', '1')).toBe('attempt 1\n');
    expect(await logs('--attempt', '2')).toBe('attempt 2\n');
    expect(await logs('--attempt', '2', '--all')).toBe('attempt 2\n');
    expect(await commandLine.run(['logs', body.id, '--attempt', '2', '--follow'])).toMatchObject({ code: 2 });
  });

  it('are listed, shown, followed and run again', async () => {
    const { slug } = await python(api, 'import sys\nprint("a line", file=sys.stderr)\nprint(7)');
    await commandLine.run(['run', slug]);
    const list = await commandLine.run(['runs', 'list', '--script', slug, '--json', 'id,status']);
    const [{ id, status }] = JSON.parse(list.stdout);
    expect(status).toBe('succeeded');
    const table = await commandLine.run(['runs', 'list', '--script', slug]);
    expect(table.stdout.split('\t').slice(0, 4)).toEqual([id, slug, 'succeeded', 'cli']);
    const terminal = commandLine.terminal(['runs', 'list', '--script', slug]);
    expect(await terminal.ended).toBe(0);
    expect(terminal.text).toContain('STATUS');
    expect((await commandLine.run(['runs', 'view', id])).stdout).toContain('Output');
    expect((await commandLine.run(['logs', id])).stdout).toBe('a line\n');
    expect((await commandLine.run(['logs', '-f', id])).stdout).toBe('a line\n');
    expect(await commandLine.run(['runs', 'watch', id])).toMatchObject({
      code: 0,
      stdout: '7\n',
      stderr: 'a line\n',
    });
    expect(await commandLine.run(['runs', 'rerun', id])).toMatchObject({ code: 0, stdout: '7\n' });
    expect((await commandLine.run(['runs', 'list', '--caused-by', id])).stdout).toContain(slug);
    await writeFile(join(installed.directory, 'inputs.ndjson'), '\ufeff{}\r\n{}\r\n');
    const batch = await commandLine.run(['runs', 'batch', slug, 'inputs.ndjson', '--json', 'id,runs']);
    expect((JSON.parse(batch.stdout) as { runs: string[] }).runs, batch.stderr).toHaveLength(2);
    await writeFile(join(installed.directory, 'odd.ndjson'), '{}\n[]\n');
    expect(await commandLine.run(['runs', 'batch', slug, 'odd.ndjson'])).toMatchObject({ code: 2 });
    expect(await commandLine.run(['runs', 'list', '--status', 'odd'])).toMatchObject({ code: 2 });
    expect(await commandLine.run(['runs', 'view', 'run_nothing'])).toMatchObject({ code: 2 });
  });

  it('are moved to another time', async () => {
    const { slug } = await python(api, 'print(7)');
    const { body } = await api.post(`/v1/scripts/${slug}/runs`, { startAt: '2h' });
    const move = ['runs', 'move', body.id as string, '--start-at'];
    const moved = await commandLine.run([...move, '3h', '--json', 'phase,startAt']);
    expect(JSON.parse(moved.stdout), moved.stderr).toMatchObject({ phase: 'delayed' });
    expect(await commandLine.run([...move, 'soon'])).toMatchObject({ code: 2 });
    expect(await commandLine.run([...move, '0s'])).toMatchObject({ code: 0 });
    expect(await runUntil(api, body.id as string, finished)).toMatchObject({ status: 'succeeded' });
  });

  it('are cancelled and run again all at once', async () => {
    const { slug } = await python(api, 'print(7)');
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    await api.post(`/v1/scripts/${slug}/runs/batch`, { inputs: [{}, {}, {}], startAt });
    const cancel = ['runs', 'cancel', '--script', slug];
    expect(await commandLine.run([...cancel, '--dry-run'])).toMatchObject({ code: 0, stdout: '3 runs\n' });
    const two = await commandLine.run([...cancel, '--dry-run', '--limit', '2']);
    expect(two.stdout).toBe('2 runs, the newest of more\n');
    // Nobody can be asked here.
    expect(await commandLine.run(cancel)).toMatchObject({ code: 2 });
    const done = await commandLine.run([...cancel, '--status', 'running', '--yes']);
    expect([done.code, done.stderr]).toEqual([0, '3 of 3 cancelled, or being ended, 0 skipped.\n']);
    const again = await commandLine.run(['runs', 'rerun', '--script', slug, '--yes', '--json']);
    const operation = JSON.parse(again.stdout);
    expect(operation).toMatchObject({ kind: 'rerun', status: 'completed', done: 3 });
    const listed = await commandLine.run(['runs', 'operations', 'list', '--limit', '1']);
    expect(listed.stdout.split('\t').slice(0, 5)).toEqual([operation.id, 'rerun', 'completed', '3', '3']);
    expect((await commandLine.run(['runs', 'operations', 'view', operation.id])).stdout).toContain(
      'completed',
    );
    expect((await commandLine.run(['runs', 'operations', 'cancel', operation.id])).code).not.toBe(0);
    for (const wrong of [[], ['--status', 'failed'], [operation.id, '--all'], ['--all', '--limit', 'x']])
      expect(await commandLine.run(['runs', 'cancel', ...wrong])).toMatchObject({ code: 2 });
  });

  it('are exported, and so is what was changed', async () => {
    const { slug } = await python(api, 'print(7)');
    await commandLine.run(['run', slug]);
    const csv = await commandLine.run(['runs', 'export', '--script', slug, '--format', 'csv']);
    const [columns, record] = csv.stdout.split('\r\n');
    expect([csv.code, columns!.startsWith('"id","script.slug",'), record!.split(',')[1]]).toEqual([
      0,
      true,
      `"${slug}"`,
    ]);
    const audit = await commandLine.run(['audit', 'export', '--since', '1h']);
    expect(audit.stdout).toContain('"action":"script.created"');
    expect((await commandLine.run(['audit', 'export', '--until', '1h'])).stdout).toBe('');
    expect(await commandLine.run(['runs', 'export', '--format', 'xml'])).toMatchObject({ code: 2 });
  });
});
