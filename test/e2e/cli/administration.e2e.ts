import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../../libs/testing/index.js';
import { CertificateAuthority } from '../../../libs/egress/index.js';
import { CommandLine, ENTER } from '../../support/command-line.js';
import { baseUrl, client, newWorkspace } from '../../support/gatehouse.js';
import { hook, KEY, sendSigned, setSecret } from '../../support/hooks.js';
import { python } from '../../support/scripts.js';

let installed: CommandLine;
let commandLine: CommandLine;
let workspace: TestWorkspace;
let api: Client;
let owner: Client;

/** Each test starts the program some ten times. */

beforeAll(async () => {
  [installed, workspace] = await Promise.all([CommandLine.build(), newWorkspace()]);
  commandLine = installed.as(workspace.owner.token, workspace.slug);
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
  owner = client({ cookie: workspace.owner.cookie, workspace: workspace.slug });
});
afterAll(() => installed?.remove());

/** A command that goes well: what it printed. */
async function done(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await commandLine.run(args);
  expect(code, `${args.join(' ')}: ${stderr}`).toBe(0);
  return stdout;
}
const json = async (...args: string[]): Promise<Json> => JSON.parse(await done(...args, '--json'));
const status = async (path: string): Promise<number> => (await api.get(path)).status;

describe('schedules', () => {
  it('are made, shown, paused, resumed and deleted', async () => {
    const { slug } = await python(api, 'print(1)', { command: 'python3 main.py {city} {days}' });
    const inputs = ['-f', 'city=Berlin', '-F', 'days="3"'];
    const made = await json(
      'schedules',
      'create',
      slug,
      '--cron',
      '0 3 * * *',
      '--name',
      'nightly',
      ...inputs,
    );
    expect(made).toMatchObject({ name: 'nightly', timezone: 'UTC', inputs: { city: 'Berlin', days: '3' } });
    expect(await done('schedules', 'view', made.id)).toMatch(/Cron +0 3 \* \* \*/);
    await done('schedules', 'pause', made.id);
    expect(await json('schedules', 'view', made.id)).toMatchObject({ enabled: false });
    await done('schedules', 'resume', made.id);
    expect(await json('schedules', 'list', '--script', slug)).toMatchObject([{ enabled: true }]);
    await done('schedules', 'delete', made.id);
    expect(await status(`/v1/schedules/${made.id}`)).toBe(404);
    expect(await commandLine.run(['schedules', 'create', slug])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`gatehouse schedules create ${slug} --cron`),
    });
    const odd = await commandLine.run(['schedules', 'create', slug, '--cron', 'daily', ...inputs]);
    expect(odd).toMatchObject({ code: 2, stderr: expect.stringContaining('cron') });
  });
});

describe('triggers', () => {
  it('are made, shown, paused, resumed and deleted', async () => {
    const { slug } = await python(api, 'print(1)', { command: 'python3 main.py {run}' });
    const filter = ['--filter', 'status=failed', '--filter', 'test=false', '--filter', 'script.slug=7a'];
    const create = ['triggers', 'create', slug, '--event', 'run.failed', '-f', 'run={{event.data.runId}}'];
    const made = await json(...create, ...filter);
    expect(made).toMatchObject({
      name: 'run.failed',
      filter: { status: 'failed', test: false, 'script.slug': '7a' },
      inputs: { run: '{{event.data.runId}}' },
    });
    await done('triggers', 'pause', made.id);
    const shown = await done('triggers', 'view', made.id);
    expect(shown).toMatch(/Enabled +no/);
    expect(shown).toMatch(new RegExp(`Script +${slug}`));
    await done('triggers', 'resume', made.id);
    expect(await json('triggers', 'list', '--script', slug)).toMatchObject([{ id: made.id, enabled: true }]);
    const [first] = (await done('triggers', 'list')).split('\n');
    expect(first!.split('\t').slice(0, 3)).toEqual([made.id, 'run.failed', slug]);
    await done('triggers', 'delete', made.id);
    expect(await status(`/v1/triggers/${made.id}`)).toBe(404);
    expect(await commandLine.run(['triggers', 'create', slug])).toMatchObject({ code: 2 });
  });
});

describe('hooks', () => {
  it('are made, shown, given another address, paused, resumed and deleted', async () => {
    const { slug } = await python(api, 'print(1)', { command: 'python3 main.py {note}' });
    const create = ['hooks', 'create', slug, '--verify', 'hmac', '--secret', 'HOOK_KEY', '--name', 'Orders'];
    const more = ['header=x-signature', 'algorithm=sha256', 'encoding=hex', 'idHeader=x-id'];
    const inputs = ['--filter', 'body.kind=order', '-f', 'note={{request.body.note}}', '--keep', 'x-kind'];
    const made = await json(...create, ...more.flatMap((one) => ['--with', one]), ...inputs);
    expect(made).toMatchObject({
      name: 'Orders',
      url: expect.stringContaining('/hooks/'),
      verify: { scheme: 'hmac', secret: 'HOOK_KEY', header: 'x-signature', idHeader: 'x-id' },
      filter: { 'body.kind': 'order' },
      inputs: { note: '{{request.body.note}}' },
      headers: ['x-kind'],
      respond: false,
    });
    await done('hooks', 'pause', 'Orders');
    const shown = await done('hooks', 'view', made.id);
    expect(shown).toMatch(/Enabled +no/);
    expect(shown).toMatch(new RegExp(`Script +${slug}`));
    expect(shown).not.toContain(made.url);
    await done('hooks', 'resume', made.id);
    expect(await json('hooks', 'list', '--script', slug)).toMatchObject([{ id: made.id, enabled: true }]);
    const [first] = (await done('hooks', 'list')).split('\n');
    expect(first!.split('\t').slice(0, 3)).toEqual([made.id, 'Orders', slug]);
    const rotated = await json('hooks', 'rotate', 'Orders');
    expect(rotated).toMatchObject({ id: made.id, url: expect.stringContaining('/hooks/') });
    expect(rotated.url).not.toBe(made.url);
    await done('hooks', 'delete', made.id);
    expect(await status(`/v1/hooks/${made.id}`)).toBe(404);
    expect(await commandLine.run(['hooks', 'create', slug])).toMatchObject({ code: 2 });
  });

  it('show what came in, and run it once more', async () => {
    await setSecret(api, 'HOOK_KEY', KEY);
    const { slug, id } = await python(api, 'print(1)', { command: 'python3 main.py {note}' });
    const inputs = { note: '{{request.body.note}}' };
    const made = await hook(api, { slug, id }, { name: 'Notes', inputs });
    const taken = (await sendSigned(made, { note: 'two words' })).body;
    expect((await done('hooks', 'receipts', 'Notes')).split('\t').slice(0, 2)).toEqual([
      taken.id,
      'accepted',
    ]);
    const shown = await done('hooks', 'receipt', 'Notes', taken.id);
    expect(shown).toMatch(/^Receipt .*\nVerdict +accepted\n/);
    expect(shown).toMatch(/\nHeaders +\{.*"content-type":"application\/json"/);
    expect(shown.trimEnd().split('\n\n').at(-1)).toBe('{"note":"two words"}');
    expect(await json('hooks', 'receipt', 'Notes', taken.id)).toMatchObject({
      id: taken.id,
      body: '{"note":"two words"}',
      bodyEncoding: 'utf8',
    });
    expect(await json('hooks', 'replay', 'Notes', taken.id)).toMatchObject({
      inputs: { note: 'two words' },
      test: false,
    });
    expect(await json('hooks', 'replay', 'Notes', taken.id, '--at', '1')).toMatchObject({
      version: 1,
      test: true,
    });
    expect(await commandLine.run(['hooks', 'replay', 'Notes', 'rcp_none'])).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('receipt'),
    });
  });
});

describe('environments', () => {
  it('are made, changed and deleted, which a person confirms', async () => {
    expect(await json('env', 'create', 'staging', '--approval', 'always', '--no-agents')).toMatchObject({
      name: 'staging',
      approvalPolicy: 'always',
      agentsAllowed: false,
    });
    expect(await json('env', 'update', 'staging', '--rename', 'qa', '--approval', 'none')).toMatchObject({
      name: 'qa',
      approvalPolicy: 'none',
      agentsAllowed: false,
    });
    expect(await done('env', 'view', 'qa')).toMatch(/Used by +0 secrets/);
    expect(await json('env', 'update', 'qa', '--runs-on', 'eu-vpc, gpu')).toMatchObject({
      runsOn: ['eu-vpc', 'gpu'],
    });
    expect(await done('env', 'view', 'qa')).toMatch(/Runs on +eu-vpc, gpu/);
    expect(await json('env', 'update', 'qa', '--runs-on', '')).toMatchObject({ runsOn: [] });
    expect(await commandLine.run(['env', 'update', 'qa'])).toMatchObject({ code: 2 });
    expect(await commandLine.run(['env', 'create', 'x', '--approval', 'never'])).toMatchObject({ code: 2 });
    const unasked = await commandLine.run(['env', 'delete', 'qa']);
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    const no = commandLine.terminal(['env', 'delete', 'qa']);
    await no.shows('Delete qa and its 0 values of secrets?');
    no.type(ENTER);
    expect(await no.ended).toBe(1);
    expect(await status('/v1/workspace/environments/qa')).toBe(200);
    const yes = commandLine.terminal(['env', 'delete', 'qa']);
    await yes.shows('Delete qa');
    yes.type(`y${ENTER}`);
    expect(await yes.ended, yes.text).toBe(0);
    expect(await status('/v1/workspace/environments/qa')).toBe(404);
  });
});

describe('alerts', () => {
  it('are made with an address from standard input, tried, switched off and deleted', async () => {
    const address = 'https://receiver.example.invalid/T0p-s3cret';
    const about = ['--on', 'failed', '--slow', '60', '--quiet', '22:00-07:00 Europe/Berlin'];
    const made = await commandLine.run(
      ['alerts', 'create', 'Nightly', '--channel', 'slack', ...about, '--json'],
      `${address}\n`,
    );
    expect(made.code, made.stderr).toBe(0);
    expect(JSON.parse(made.stdout)).toMatchObject({
      name: 'Nightly',
      on: ['failed'],
      slow: { seconds: 60, factor: null },
      destination: { channel: 'slack', host: 'receiver.example.invalid' },
      quietHours: { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' },
    });
    expect(made.stdout).not.toContain('T0p-s3cret');
    expect(await done('alerts', 'list')).toContain('slack: receiver.example.invalid');
    const update = (...args: string[]) => json('alerts', 'update', 'Nightly', ...args);
    expect(await update('--slow-factor', '3', '--group', '60')).toMatchObject({
      slow: { factor: 3 },
      groupSeconds: 60,
      destination: { channel: 'slack', host: 'receiver.example.invalid' },
    });
    expect(await update('--slow', '9')).toMatchObject({ slow: { seconds: 9, factor: 3 } });
    expect(await update('--slow', 'none', '--slow-factor', 'none', '--on', 'failed')).toMatchObject({
      slow: null,
      on: ['failed'],
    });
    for (const wrong of [['--to', 'a@example.com'], ['--slow', 'abc'], []])
      expect((await commandLine.run(['alerts', 'update', 'Nightly', ...wrong])).code).toBe(2);
    expect(await update('--quiet', 'none')).toMatchObject({ quietHours: null });
    await done('alerts', 'disable', 'Nightly');
    expect(await json('alerts', 'view', 'Nightly')).toMatchObject({ enabled: false });
    await done('alerts', 'enable', 'Nightly');
    await done('alerts', 'test', 'Nightly');
    expect(await json('alerts', 'messages', 'Nightly')).toMatchObject([{ test: true }]);
    const quiet = ['alerts', 'create', 'X', '--channel', 'mail', '--on', 'failed', '--quiet', 'at night'];
    expect(await commandLine.run(quiet)).toMatchObject({ code: 2 });
    await done('alerts', 'delete', 'Nightly');
    expect(await json('alerts', 'list')).toEqual([]);
  });
});

describe('scripts', () => {
  it('keep their runs for as long as it is said', async () => {
    const { slug } = await python(api, 'print(1)');
    const set = (days: string) => commandLine.run(['scripts', 'set', slug, '--keep-runs', days]);
    expect((await set('7')).stderr).toContain('retention: none → runs 7 days');
    expect((await set('')).stderr).toContain('retention: runs 7 days → none');
    for (const days of ['0', '1.5', 'x']) expect(await set(days)).toMatchObject({ code: 2 });
  });
});

describe('authorities', () => {
  it('of a host are piped in, listed and deleted', async () => {
    const { certificate } = new CertificateAuthority({ name: 'Company authority' });
    const host = 'db.example.com:5432';
    const set = await commandLine.run(['authorities', 'set', host], certificate);
    expect(set.stderr).toMatch(/are checked by this authority alone\.\n +CN=Company authority \(until /);
    expect(await done('authorities', 'list')).toMatch(/^db\.example\.com:5432\tCN=Company authority/);
    expect(await json('authorities', 'list')).toMatchObject([{ host }]);
    expect(await commandLine.run(['authorities', 'set', host], 'none')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('must be certificates in PEM'),
    });
    await done('authorities', 'delete', host);
    expect(await json('authorities', 'list')).toEqual([]);
  });
});

describe('queues', () => {
  it('are made, given scripts, paused and deleted', async () => {
    expect(await json('queues', 'create', 'imports', '--limit', '3')).toMatchObject({
      name: 'imports',
      limit: 3,
      paused: false,
    });
    expect(await done('queues', 'update', 'imports', '--limit', 'none')).toMatch(/Limit +none/);
    for (const limit of ['0x3', '-1', ''])
      expect(await commandLine.run(['queues', 'update', 'imports', '--limit', limit])).toMatchObject({
        code: 2,
      });
    expect(await commandLine.run(['queues', 'update', 'imports'])).toMatchObject({ code: 2 });
    const { slug } = await python(api, 'print(1)');
    expect((await commandLine.run(['scripts', 'set', slug, '--queue', 'imports'])).stderr).toContain(
      'queue: none → imports',
    );
    expect(await done('queues', 'pause', 'imports')).toMatch(/Paused +yes/);
    expect(await json('queues', 'view', 'imports')).toMatchObject({ paused: true, scripts: [{ slug }] });
    expect(await done('queues', 'resume', 'imports')).toMatch(/Paused +no/);
    expect(await done('queues', 'list')).toContain('imports');
    expect(await commandLine.run(['queues', 'delete', 'imports'])).toMatchObject({
      stderr: expect.stringContaining('1 script is in the queue imports'),
    });
    await done('scripts', 'set', slug, '--queue', '');
    await done('queues', 'delete', 'imports');
    expect(await status('/v1/workspace/queues/imports')).toBe(404);
  });
});

describe('scripts', () => {
  it('are shown, published, rolled back, archived and restored', async () => {
    const { slug } = await python(api, 'print(1)');
    expect(await done('scripts', 'view', slug)).toMatch(/Status +published/);
    expect(await json('scripts', 'versions', slug)).toMatchObject([{ number: 1, published: true }]);
    await done('scripts', 'unpublish', slug);
    expect(await json('scripts', 'view', slug)).toMatchObject({ status: 'draft' });
    await done('scripts', 'publish', slug);
    expect(await json('scripts', 'view', slug)).toMatchObject({ publishedVersion: 1 });
    expect(await commandLine.run(['scripts', 'publish', slug, '--version', '7'])).toMatchObject({ code: 2 });
    expect(await commandLine.run(['scripts', 'publish', slug, '--version', 'x'])).toMatchObject({ code: 2 });
    await done('scripts', 'archive', slug);
    expect(await json('scripts', 'view', slug)).toMatchObject({ status: 'archived' });
    await done('scripts', 'restore', slug);
    expect(await json('scripts', 'view', slug)).toMatchObject({ status: 'draft' });
    await api.post('/v1/scripts', { slug: 'empty', name: 'Empty' });
    expect(await commandLine.run(['scripts', 'publish', 'empty'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('gatehouse push'),
    });
  });
});

describe('webhooks', () => {
  it('are made, shown, and deleted; the secret is on standard output alone', async () => {
    const create = ['webhooks', 'create', 'https://hooks.example.com/in', '--event', 'run.failed'];
    const made = await commandLine.run(create);
    expect(made.stdout).toMatch(/^whsec_\S+\n$/);
    expect(made.stderr).not.toContain('whsec_');
    const [endpoint] = await json('webhooks', 'list');
    expect(endpoint).toMatchObject({ url: 'https://hooks.example.com/in', eventTypes: ['run.failed'] });
    expect(await done('webhooks', 'view', endpoint.id)).toMatch(/Events +run\.failed/);
    expect(await done('webhooks', 'rotate-secret', endpoint.id)).toMatch(/^whsec_/);
    await done('webhooks', 'enable', endpoint.id);
    const tested = await commandLine.run(['webhooks', 'test', endpoint.id]);
    expect(tested).toMatchObject({ code: 1, stderr: expect.stringContaining('did not take it') });
    const [delivery] = await json('webhooks', 'deliveries', endpoint.id);
    expect(delivery).toMatchObject({ eventType: 'ping', status: 'failed' });
    expect(await json('webhooks', 'deliveries', endpoint.id, '--status', 'delivered')).toEqual([]);
    const narrowed = ['--status', 'failed', '--event', 'ping', '--since', '1h'];
    expect(await json('webhooks', 'deliveries', endpoint.id, ...narrowed)).toEqual([delivery]);
    const sent = await done('webhooks', 'request', endpoint.id, delivery.id);
    expect(sent).toMatch(/^POST https:\/\/hooks\.example\.com\/in\nhost: hooks\.example\.com\n/);
    expect(sent).toMatch(new RegExp(`\\nwebhook-id: ${delivery.id}\\n.*\\n\\n{"id":"evt_`, 's'));
    const again = await commandLine.run(['webhooks', 'redeliver', endpoint.id, delivery.id]);
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('on its way') });
    await done('webhooks', 'delete', endpoint.id, '--yes');
    expect(await status(`/v1/workspace/webhook-endpoints/${endpoint.id}`)).toBe(404);
    const refused = await commandLine.run(['webhooks', 'create', 'http://127.0.0.1/']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('members', () => {
  it('are asked in, get another role, and are removed', async () => {
    const member = await workspace.person('member');
    const invited = await commandLine.run(['members', 'invite', 'new@example.com', '--role', 'guest']);
    expect(invited).toMatchObject({ code: 0, stdout: expect.stringMatching(/\/invitations\/\S+\n$/) });
    await done('members', 'role', member.email, 'admin');
    const list = await json('members', 'list');
    expect(list).toContainEqual(expect.objectContaining({ email: member.email, role: 'admin' }));
    expect(await commandLine.run(['members', 'role', member.email, 'king'])).toMatchObject({ code: 2 });
    expect(await commandLine.run(['members', 'remove', member.email])).toMatchObject({ code: 2 });
    await done('members', 'remove', member.email, '--yes');
    expect(await commandLine.run(['members', 'remove', member.email, '--yes'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('gatehouse members list'),
    });
  });
});

describe('what is counted', () => {
  it('is shown', async () => {
    expect(await done('usage')).toMatch(/^runs\t\d+\tnone\t/m);
    expect(await done('usage', '--jq', '.meters[] | select(.id == "members") | .used')).toMatch(/^\d+\n$/);
    expect(await done('teams', 'list')).toContain('\tyes\n');
    expect(await done('audit', 'list', '--jq', '.[0].actor.name')).toBe('Olive Owner\n');
  });
});

describe('what only a person in the app may do', () => {
  it.each([
    [['keys', 'list'], '/settings/api-keys'],
    [['keys', 'revoke', 'key_1'], '/settings/api-keys'],
    [['approvals', 'list'], '/approvals'],
  ])('is said, with its page: %j', async (args, page) => {
    const { code, stdout, stderr } = await commandLine.run(args);
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toContain(`Do it at ${baseUrl()}/w/${workspace.slug}/-${page}\n`);
  });

  it.each(['approve', 'deny'])('as is to %s', async (decision) => {
    const { code, stderr } = await commandLine.run(['approvals', decision, 'apr_1']);
    expect(code).toBe(4);
    expect(stderr).toContain(`Do it at ${baseUrl()}/approvals/apr_1\n`);
  });

  it('is asked for: a key is made when a person approves', async () => {
    const limits = ['--scope', 'runs:read', '--scope', 'mcp', '--expires', '2999-01-31'];
    const name = ['Nightly', '--bound-to', 'production', ...limits, '--reason', 'For the export'];
    const args = ['keys', 'create', ...name, '--env-file', 'new.env'];
    const { ended, stderr } = commandLine.start(args);
    await expect.poll(stderr).toContain('/approvals/');
    const [, id] = /approvals\/(apr_\w+)/.exec(stderr())!;
    await owner.post(`/v1/workspace/approval-requests/${id}/approve`);
    const { code, stdout } = await ended;
    expect([code, stdout]).toEqual([0, '']);
    const file = await readFile(join(installed.directory, 'new.env'), 'utf8');
    expect(file).toMatch(/^GATEHOUSE_API_KEY=svc_sk_\w+\n$/);
    const keys = (await owner.get('/v1/workspace/api-keys')).body.items;
    expect(keys).toContainEqual(
      expect.objectContaining({
        name: 'Nightly',
        environment: 'production',
        scopes: ['runs:read', 'mcp'],
        expiresAt: '2999-01-31T00:00:00.000Z',
      }),
    );
  });
});

describe('errors', () => {
  it('are listed, shown, resolved, ignored and opened again', async () => {
    const { slug } = await python(api, 'raise ValueError("no such city")');
    const run = await api.post(`/v1/scripts/${slug}/runs`, { inputs: {} });
    const of = ['--script', slug];
    await expect.poll(() => json('errors', 'list', ...of)).toMatchObject([{ count: 1 }]);
    const [{ id }] = await json('errors', 'list', ...of);
    expect(await done('errors', 'list', ...of)).toContain('ValueError: no such city');
    expect(await done('errors', 'show', id)).toMatch(/Place +main\.py\n[^]*Sample +Traceback/);
    expect(await json('runs', 'list', '--error', id)).toMatchObject([{ id: run.body.id }]);
    const statistics = () => json('runs', 'statistics', '--script', slug, '--by', 'hour');
    await expect.poll(async () => (await statistics()).totals).toMatchObject({ failed: 1, successRate: 0 });
    expect(await done('runs', 'statistics', '--script', slug)).toMatch(/^version 1\t0\t1\t0\t0 %/m);
    expect(await json('errors', 'resolve', id)).toMatchObject({ status: 'resolved' });
    expect(await json('errors', 'list', ...of, '--status', 'open')).toEqual([]);
    expect(await json('errors', 'ignore', id)).toMatchObject({ status: 'ignored', ignoreUntil: null });
    expect(await json('errors', 'ignore', id, '--until', '7d')).toMatchObject({
      ignoreUntil: expect.any(String) as string,
    });
    expect(await json('errors', 'reopen', id)).toMatchObject({ status: 'open' });
    const wrong = await commandLine.run(['errors', 'list', '--status', 'closed']);
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no status of an error') as string,
    });
  });
});
