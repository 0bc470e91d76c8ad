import { once } from 'node:events';
import { appendFile, mkdir, readFile, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../../libs/testing/index.js';
import { CommandLine } from '../../support/command-line.js';
import { baseUrl, client, newWorkspace } from '../../support/gatehouse.js';
import { newVersion, python } from '../../support/scripts.js';

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

const path = (...parts: string[]): string => join(installed.directory, ...parts);

/** A folder with a script that `gatehouse init` makes. */
async function folder(name: string, template = 'python'): Promise<CommandLine> {
  const { code, stderr } = await commandLine.run(['init', name, '--template', template]);
  expect(code, stderr).toBe(0);
  return commandLine.in(name);
}

const read = async (route: string): Promise<Json> => (await api.get(route)).body;

/** The service, where somebody else is quicker each time that something is posted to this path. */
async function overtakenAt(posted: string, overtake: () => Promise<unknown>) {
  const server = createServer((request, response) => {
    void (async () => {
      const { method = 'GET', url = '', headers } = request;
      const body = Buffer.concat(await request.toArray());
      if (method === 'POST' && url === posted) await overtake();
      const { host: _, connection: __, 'content-length': ___, ...kept } = headers;
      const answer = await fetch(`${baseUrl()}${url}`, {
        method,
        headers: kept as Record<string, string>,
        ...(body.length > 0 && { body }),
      });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(Buffer.from(await answer.arrayBuffer()));
    })();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

describe('init', () => {
  it.each(['python', 'node', 'shell'])('begins a script that runs: %s', async (template) => {
    const here = await folder(`begun-${template}`, template);
    const { code, stdout, stderr } = await here.run(['test', '--name', 'Ada']);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('Hello, Ada!');
    expect(stderr).toContain('greeting Ada');
    const runs = await read(`/v1/runs?script=begun-${template}`);
    expect(runs.items).toMatchObject([{ test: true, interface: 'cli' }]);
  });

  it('writes nothing over', async () => {
    await folder('kept');
    expect(await commandLine.run(['init', 'kept'])).toMatchObject({ code: 2 });
    expect(await commandLine.run(['init', 'odd', '-t', 'cobol'])).toMatchObject({ code: 2 });
  });
});

describe('push', () => {
  it('makes a version only where something has changed, and shows what', async () => {
    const here = await folder('pushed');
    const dry = await here.run(['push', '--dry-run']);
    expect(dry.stderr).toContain('+ main.py');
    expect((await api.get('/v1/scripts/pushed')).status).toBe(404);
    const first = await here.run(['push', '--publish']);
    expect(first.code, first.stderr).toBe(0);
    expect(first.stderr).toContain('Version 1 is published.');
    expect(await read('/v1/scripts/pushed')).toMatchObject({
      description: 'Greets somebody.',
      publishedVersion: 1,
    });
    const again = await here.run(['push', '--publish', '-m', 'Nothing']);
    expect(again.stderr).toContain('Nothing has changed since version 1.');
    expect(again.stderr).toContain('not used: the message.');
    await appendFile(path('pushed', 'main.py'), '# changed\n');
    await writeFile(path('pushed', '.env'), 'SECRET=1');
    const second = await here.run(['push', '-m', 'Say it twice']);
    expect(second.stderr).toContain('~ main.py');
    expect(second.stderr).not.toContain('.env');
    expect(second.stderr).toContain('Version 2 is made.');
    expect(await read('/v1/scripts/pushed/versions/2')).toMatchObject({
      createdVia: 'cli',
      message: 'Say it twice',
      published: false,
    });
    expect((await commandLine.run(['run', 'pushed', '--name', 'Ada'])).stdout).toContain('Hello, Ada!');
  });

  it('makes no version over one that a colleague made since the folder was compared', async () => {
    const here = await folder('overtaken');
    await here.run(['push', '--publish']);
    await appendFile(path('overtaken', 'main.py'), '# mine\n');
    const service = await overtakenAt('/v1/scripts/overtaken/versions', () =>
      newVersion(api, 'overtaken', { 'main.py': 'theirs = 1' }),
    );
    const { code, stderr } = await here.with({ GATEHOUSE_URL: service.url }).run(['push', '--publish']);
    service.close();
    expect(code).not.toBe(0);
    expect(stderr).toContain('version 2 is the newest');
    expect(await read('/v1/scripts/overtaken')).toMatchObject({ lastVersion: 2, publishedVersion: 1 });
    expect((await here.run(['push', '--publish', '--force'])).stderr).toContain('Version 3 is published.');
  });

  it('leaves out what .gitignore files name, and what it is told to', async () => {
    const here = await folder('ignoring');
    await writeFile(path('ignoring', '.gitignore'), 'big.bin\n/build/\n*.log\n!kept.log\n');
    await appendFile(path('ignoring', 'gatehouse.yaml'), 'ignore: ["*.md", notes]\n');
    const files = [
      'big.bin',
      'build/x',
      'src/build/x',
      'a.log',
      'kept.log',
      'src/kept.log',
      'notes/a.txt',
      'TODO.md',
    ];
    for (const file of files) {
      await mkdir(join(path('ignoring', file), '..'), { recursive: true });
      await writeFile(path('ignoring', file), 'x');
    }
    await writeFile(path('ignoring', 'src', '.gitignore'), 'kept.log\n');
    const sent = ['.gitignore', 'gatehouse.yaml', 'kept.log', 'main.py', 'src/.gitignore', 'src/build/x'];
    const { stderr } = await here.run(['push', '--dry-run']);
    expect(stderr.match(/^\+ .*$/gm)).toEqual(sent.map((file) => `+ ${file}`));
  });

  it('ignores as the repository around it says', async () => {
    await mkdir(path('repository', '.git', 'info'), { recursive: true });
    const here = await folder('repository/inner');
    await writeFile(path('repository', '.gitignore'), 'inner/*.key\n');
    await writeFile(path('repository', '.git', 'info', 'exclude'), 'private\n');
    await mkdir(path('config', 'git'), { recursive: true });
    await writeFile(path('config', 'git', 'ignore'), '*.swp\n');
    for (const file of ['my.key', 'private', 'main.py.swp'])
      await writeFile(path('repository', 'inner', file), 'x');
    const { stderr } = await here.run(['push', '--dry-run']);
    expect(stderr.match(/^\+ .*$/gm)).toEqual(['+ gatehouse.yaml', '+ main.py']);
  });

  it.each([
    ['a path out of it', 'readme: ../outside.md\n', null],
    ['a link out of it', '', 'README.md'],
    ['a link that is named', 'readme: notes.md\n', 'notes.md'],
  ])('sends no file as its README that lies outside: %s', async (_, definition, link) => {
    await writeFile(path('outside.md'), 'a private key');
    const name = `readme-${link ?? 'path'}`.replace('.', '-').toLowerCase();
    const here = await folder(name);
    await appendFile(path(name, 'gatehouse.yaml'), definition);
    if (link) await symlink(path('outside.md'), path(name, link));
    const { code, stderr } = await here.run(['push']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('it lies outside the folder')]);
    expect((await api.get(`/v1/scripts/${name}`)).status).toBe(404);
  });

  it('reads no folder that is too large, and says what makes it so', async () => {
    const here = await folder('large');
    await writeFile(path('large', 'model.bin'), '');
    await truncate(path('large', 'model.bin'), 5_000_000_000);
    const { code, stderr } = await here.run(['push']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('The largest: model.bin (4768.4 MB)')]);
    await appendFile(path('large', 'gatehouse.yaml'), 'ignore: ["*.bin"]\n');
    expect((await here.run(['push', '--dry-run'])).code).toBe(0);
  });

  it('takes links and odd names, and refuses what cannot be named', async () => {
    const here = await folder('odd-names');
    await writeFile(path('odd-names', "it's ünï $(x).txt"), 'x');
    await symlink('main.py', path('odd-names', 'link.py'));
    const pushed = await here.run(['push']);
    expect(pushed.code, pushed.stderr).toBe(0);
    expect(await commandLine.run(['pull', 'odd-names', 'odd-copy'])).toMatchObject({ code: 0 });
    expect(await readdir(path('odd-copy'))).toEqual(await readdir(path('odd-names')));
    await symlink('/etc/passwd', path('odd-names', 'out.txt'));
    expect(await here.run(['push'])).toMatchObject({ code: 2, stderr: expect.stringContaining('out.txt') });
    await rm(path('odd-names', 'out.txt'));
    await writeFile(Buffer.concat([Buffer.from(`${path('odd-names')}/`), Buffer.from([0xff, 0x2e])]), 'x');
    expect(await here.run(['push'])).toMatchObject({ code: 2, stderr: expect.stringContaining('not UTF-8') });
  });

  it('pushes each script of a repository', async () => {
    await mkdir(path('many'));
    await folder('many/one');
    await folder('many/two');
    const { code, stderr } = await commandLine.in('many').run(['push']);
    expect(code, stderr).toBe(0);
    expect((await read('/v1/scripts/one/versions')).items).toHaveLength(1);
    expect((await read('/v1/scripts/two/versions')).items).toHaveLength(1);
  });

  it('makes schedules and triggers be those of the file', async () => {
    const here = await folder('timed');
    const definition = await readFile(path('timed', 'gatehouse.yaml'), 'utf8');
    const push = async (more: string): Promise<string> => {
      await writeFile(path('timed', 'gatehouse.yaml'), definition + more);
      const { code, stderr } = await here.run(['push', '--publish']);
      expect(code, stderr).toBe(0);
      return stderr;
    };
    await push(`schedules:
  - { name: nightly, cron: '0 3 * * *', inputs: { name: Ada } }
  - { name: weekly, cron: '0 3 * * 1', inputs: { name: Bob }, enabled: false }
triggers:
  - { name: after, eventType: run.failed, inputs: { name: '{{event.data.runId}}' } }
`);
    const before = (await read('/v1/scripts/timed/schedules')).items;
    expect(before).toMatchObject([
      { name: 'weekly', enabled: false },
      { name: 'nightly', cron: '0 3 * * *' },
    ]);
    const said = await push(`schedules:
  - { name: nightly, cron: '0 4 * * *', inputs: { name: Ada } }
triggers:
  - { name: after, eventType: run.succeeded, inputs: { name: x } }
`);
    expect(said).toContain('schedule nightly: changed');
    expect(said).toContain('schedule weekly: deleted');
    const after = (await read('/v1/scripts/timed/schedules')).items;
    expect(after).toMatchObject([{ id: before[1].id, cron: '0 4 * * *' }]);
    expect((await read('/v1/scripts/timed/triggers')).items).toMatchObject([{ eventType: 'run.succeeded' }]);
    const { stderr } = await here.run(['push', '--publish']);
    expect(stderr).not.toMatch(/schedule|trigger/);
    await push('');
    expect((await read('/v1/scripts/timed/schedules')).items).toHaveLength(1);
  });

  it('makes hooks be those of the file, and prints no address', async () => {
    const here = await folder('asked');
    const definition = await readFile(path('asked', 'gatehouse.yaml'), 'utf8');
    const push = async (more: string): Promise<string> => {
      await writeFile(path('asked', 'gatehouse.yaml'), `${definition}${more}`);
      const { code, stderr, stdout } = await here.run(['push', '--publish']);
      expect(code, stderr).toBe(0);
      expect(stdout + stderr).not.toContain('/hooks/');
      return stderr;
    };
    const hook = (filter: string) => `retry: { attempts: 3, on: [lost] }
idempotent: true
concurrency: { limit: 2 }
debounce: { wait: 2 }
labels: { who: 'for {name}' }
warm: false
hooks:
  - name: pushes
    verify: { scheme: github, secret: GITHUB_KEY }
    filter: { body.ref: ${filter} }
    inputs: { name: '{{request.body.sender}}' }
`;
    expect(await push(hook('main'))).toMatch(/For its address: gatehouse hooks rotate hok_\w+/);
    const [made] = (await read('/v1/scripts/asked/hooks')).items;
    expect(made).toMatchObject({ name: 'pushes', filter: { 'body.ref': 'main' } });
    expect(await read('/v1/scripts/asked/versions/1')).toMatchObject({
      retry: { attempts: 3, delay: 10, on: ['lost'] },
      idempotent: true,
      concurrency: { limit: 2, key: null, onLimit: 'queue' },
      debounce: { key: null, wait: 2, maxWait: 20 },
      labels: { who: 'for {name}' },
      warm: false,
    });
    expect(await push(hook('main'))).not.toContain('hook');
    expect(await push(hook('next'))).toContain('hook pushes: changed');
    expect((await read('/v1/scripts/asked/hooks')).items).toMatchObject([
      { id: made.id, filter: { 'body.ref': 'next' } },
    ]);
    expect(await push('hooks: []\n')).toContain('hook pushes: deleted');
  });

  it('makes and brings back a version that exports a function', async () => {
    const here = await folder('called');
    const definition =
      'slug: called\ncommand: node main.mjs\nhandler: true\nkeep: { runs: 20 }\ninputSchema: { type: object, properties: { word: { type: string } } }\n';
    await writeFile(path('called', 'gatehouse.yaml'), definition);
    await writeFile(path('called', 'main.mjs'), 'export default ({ word }) => ({ word });\n');
    const tested = await here.run(['test', '--word', 'hello']);
    expect(tested, tested.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('hello') });
    expect(await here.run(['push', '--publish'])).toMatchObject({ code: 0 });
    expect(await read('/v1/scripts/called/versions/1')).toMatchObject({
      handler: true,
      keep: { idleSeconds: 300, runs: 20 },
    });
    expect(await commandLine.run(['pull', 'called', 'called-copy'])).toMatchObject({ code: 0 });
    const copy = await readFile(path('called-copy', 'gatehouse.yaml'), 'utf8');
    expect(copy).toContain('handler: true');
    expect(copy).toContain('keep: { runs: 20 }');
  });

  it('says what is wrong with the file', async () => {
    const here = await folder('wrong');
    await appendFile(path('wrong', 'gatehouse.yaml'), 'comand: x\n');
    expect(await here.run(['push'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('comand is not known'),
    });
    const levels = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const bomb = levels.map((name, at) => {
      const items = Array(9).fill(at === 0 ? 'x' : `*${levels[at - 1]}`);
      return `  ${name}: &${name} [${items.join(', ')}]`;
    });
    await writeFile(path('wrong', 'gatehouse.yaml'), `env:\n${bomb.join('\n')}\n`);
    expect(await here.run(['push'])).toMatchObject({ code: 2, stderr: expect.stringContaining('alias') });
    for (const [more, message] of [
      ['schedules: [null]', 'needs a name'],
      ['triggers: [{ eventType: ping }]', 'needs a name'],
      ['schedules: [{ name: a }, { name: a }]', 'are called "a"'],
      ['ignore: [{}]', 'list of texts'],
    ] as const) {
      await writeFile(path('wrong', 'gatehouse.yaml'), `slug: wrong\n${more}\n`);
      expect(await here.run(['push'])).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    }
    await writeFile(path('wrong', 'gatehouse.yaml'), 'slug: wrong\ntimeout: 5000\n');
    expect(await here.run(['push'])).toMatchObject({ code: 2, stderr: expect.stringContaining('timeout') });
    await rm(path('wrong', 'gatehouse.yaml'));
    expect(await here.run(['push'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('gatehouse init'),
    });
  });
});

describe('pull', () => {
  it('gets a folder that is unchanged when it is pushed', async () => {
    const here = await folder('origin');
    await here.run(['push', '--publish']);
    expect(await commandLine.run(['pull', 'origin', 'copy'])).toMatchObject({ code: 0 });
    expect(await readdir(path('copy'))).toEqual(await readdir(path('origin')));
    expect((await commandLine.in('copy').run(['push'])).stderr).toContain(
      'Nothing has changed since version 1.',
    );
    await mkdir(path('taken'));
    await writeFile(path('taken', 'x'), '');
    expect(await commandLine.run(['pull', 'origin', 'taken'])).toMatchObject({ code: 2 });
    expect(await commandLine.run(['pull', 'origin', 'pushed'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is the folder of pushed'),
    });
  });

  it('writes the definition of a version that was made elsewhere', async () => {
    const { slug } = await python(api, 'import sys\nprint(sys.argv[1])', {
      command: 'python3 main.py {city}',
      hosts: [
        'api.example.com',
        { host: 'b.example.com', methods: ['GET'] },
        { host: 'b.example.com', methods: ['POST'], paths: ['/v1/charges'], ask: 'always' },
        { host: 'b.example.com', methods: ['PUT'], plan: { status: 200, body: '{}' } },
        { host: 'b.example.com', methods: ['DELETE'], plan: { status: 204 } },
      ],
      timeout: 60,
    });
    expect(await commandLine.run(['pull', slug])).toMatchObject({ code: 0 });
    const pushed = await commandLine.in(slug).run(['push']);
    expect(pushed.code, pushed.stderr).toBe(0);
    const [one, two] = [
      await read(`/v1/scripts/${slug}/versions/1`),
      await read(`/v1/scripts/${slug}/versions/2`),
    ];
    for (const name of ['command', 'hosts', 'hostRules', 'timeoutSeconds', 'inputSchema']) {
      expect(two[name], name).toEqual(one[name]);
    }
  });
});

describe('gatehouse.yaml', () => {
  it('has every setting of a script, and push changes what differs', async () => {
    const here = await folder('settled');
    const definition = await readFile(path('settled', 'gatehouse.yaml'), 'utf8');
    const team = await api.post('/v1/workspace/teams', { name: 'Design' });
    await api.post('/v1/workspace/queues', { name: 'greeters', limit: 1 });
    const rule = { host: 'api.example.com', methods: ['GET'], paths: ['/v1/*'], ask: 'agents' };
    const settings = `access: teams
teams: [Design]
approvalPolicy: agents
ask: {who: all, when: {title: long names, properties: {name: {minLength: 9}}}}
queue: greeters
tags: [greetings, daily]
hostRules:
  - ${JSON.stringify(rule)}
`;
    const text = definition.replace('hosts: []', 'hosts: [api.example.com, b.example.com]') + settings;
    await writeFile(path('settled', 'gatehouse.yaml'), text);
    const { code, stderr } = await here.run(['push', '--publish']);
    expect(code, stderr).toBe(0);
    for (const words of [
      'access: workspace → teams',
      'teams: none → Design',
      'approvalPolicy: none → agents',
      'ask: none → all, long names',
      'queue: none → greeters',
    ]) {
      expect(stderr).toContain(words);
    }
    expect(await read('/v1/scripts/settled')).toMatchObject({
      ...{ access: 'teams', teamIds: [team.body.id], approvalPolicy: 'agents', tags: ['greetings', 'daily'] },
      ask: { who: 'all', when: { title: 'long names', properties: { name: { minLength: 9 } } } },
    });
    expect(await read('/v1/scripts/settled/versions/1')).toMatchObject({
      hosts: expect.arrayContaining(['api.example.com', 'b.example.com']),
      hostRules: [rule],
    });
    await api.patch('/v1/scripts/settled', { approvalPolicy: 'always' });
    const dry = await here.run(['push', '--dry-run']);
    expect(dry.stderr).toContain('This would be changed: approvalPolicy: always → agents');
    expect(await read('/v1/scripts/settled')).toMatchObject({ approvalPolicy: 'always' });
    expect((await here.run(['push'])).stderr).toContain('✓ approvalPolicy: always → agents');
    expect((await here.run(['push'])).stderr).not.toContain('→');
  });

  it('is refused where a setting cannot be', async () => {
    const here = await folder('unsettled');
    const definition = await readFile(path('unsettled', 'gatehouse.yaml'), 'utf8');
    for (const [more, message] of [
      ['access: everybody', 'access: "everybody" is not known'],
      ['access: workspace\nteams: [Design]', 'teams go with'],
      ['teams: [Nobody]', 'no team "Nobody"'],
      ['approvalPolicy: sometimes', 'There are: none, agents, always'],
      ['ask: agents', 'ask has to be who and when'],
    ]) {
      await writeFile(path('unsettled', 'gatehouse.yaml'), `${definition}${more}\n`);
      expect(await here.run(['push'])).toMatchObject({ code: 2, stderr: expect.stringContaining(message!) });
    }
  });

  it('may leave settings to scripts set', async () => {
    const here = await folder('set-by-hand');
    await here.run(['push']);
    const set = (...more: string[]) => commandLine.run(['scripts', 'set', 'set-by-hand', ...more]);
    const { code, stderr } = await set(
      '--approval',
      'always',
      '--tag',
      'a',
      '--tag',
      'b',
      '--description',
      'New',
    );
    expect([code, stderr]).toEqual([0, expect.stringContaining('approvalPolicy: none → always')]);
    expect(await read('/v1/scripts/set-by-hand')).toMatchObject({
      ...{ approvalPolicy: 'always', tags: ['a', 'b'], description: 'New' },
    });
    expect((await set('--approval', 'always')).stderr).toContain('is like that already');
    expect((await set('--tag', '')).code).toBe(0);
    expect(await read('/v1/scripts/set-by-hand')).toMatchObject({ tags: [] });
    expect(await set()).toMatchObject({ code: 2 });
    expect(await set('--approval', 'odd')).toMatchObject({ code: 2 });
  });
});
