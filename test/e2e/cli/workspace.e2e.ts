import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Client, TestWorkspace } from '../../../libs/testing/index.js';
import { CommandLine, ENTER } from '../../support/command-line.js';
import { client, newWorkspace } from '../../support/gatehouse.js';
import { python } from '../../support/scripts.js';

let installed: CommandLine;
let commandLine: CommandLine;
let workspace: TestWorkspace;
let api: Client;
let owner: Client;

beforeAll(async () => {
  [installed, workspace] = await Promise.all([CommandLine.build(), newWorkspace()]);
  commandLine = installed.as(workspace.owner.token, workspace.slug);
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
  owner = client({ cookie: workspace.owner.cookie, workspace: workspace.slug });
});
afterAll(() => installed?.remove());

describe('lists', () => {
  it('are tables, or JSON', async () => {
    const { slug } = await python(api, 'print(1)');
    const schedule = { name: 'nightly', cron: '0 3 * * *' };
    await api.post(`/v1/scripts/${slug}/schedules`, schedule);
    await api.post(`/v1/scripts/${slug}/triggers`, { name: 'after', eventType: 'run.failed' });
    const verify = { scheme: 'github', secret: 'GITHUB_KEY' };
    await api.post(`/v1/scripts/${slug}/hooks`, { name: 'pushes', verify });
    const found: [string, string][] = [
      ['scripts', slug],
      ['env', 'production'],
      ['schedules', 'nightly'],
      ['triggers', 'run.failed'],
      ['hooks', 'github'],
      ['members', workspace.owner.email],
      ['audit', 'schedule.created'],
    ];
    for (const [name, text] of found) {
      const { code, stdout, stderr } = await commandLine.run([name, 'list']);
      expect([code, stderr], name).toEqual([0, '']);
      expect(stdout, name).toContain(text);
    }
    const json = await commandLine.run(['scripts', 'list', '--json', 'slug,stats.runs30d', '--limit', '1']);
    expect(JSON.parse(json.stdout)).toEqual([{ slug, 'stats.runs30d': 0 }]);
    expect(await commandLine.run(['scripts', 'list', '--limit', 'all'])).toMatchObject({ code: 2 });
  });
});

describe('secrets', () => {
  it('are read from a source that is named with a reference, and none is asked for', async () => {
    const set = (...more: string[]) =>
      commandLine.run(['secrets', 'set', 'ELSEWHERE', '--host', 'api.example.com', ...more]);
    const nowhere = await set('--source', 'vault', '--reference', 'payments/stripe#key');
    expect(nowhere.code).not.toBe(0);
    expect(nowhere.stderr).toContain('source: is not a source of secrets that this Gatehouse has');
    expect(await set('--source', 'vault')).toMatchObject({ code: 2 });
    expect(await set('--reference', 'payments/stripe#key')).toMatchObject({ code: 2 });
  });

  it('are piped in, or typed where nobody sees them', async () => {
    const args = ['secrets', 'set', 'API_KEY', '--host', 'api.example.com'];
    const piped = await commandLine.run(args, 'first-value-1\n');
    expect(piped).toMatchObject({ code: 0, stdout: '', stderr: '✓ API_KEY is set.\n' });
    const terminal = commandLine.terminal([...args, '--host', 'b.example.com', '--allow-env']);
    await terminal.shows('Value of API_KEY:');
    terminal.type(`second-value-2${ENTER}`);
    expect(await terminal.ended, terminal.text).toBe(0);
    expect(terminal.raw).not.toContain('second-value');
    const { body } = await api.get('/v1/workspace/secrets/API_KEY');
    expect(body).toMatchObject({ allowEnv: true, values: [{ hosts: ['api.example.com', 'b.example.com'] }] });
    expect((await commandLine.run(['secrets', 'list'])).stdout).toContain('API_KEY\tproduction');
  });

  it('need hosts, and a value', async () => {
    expect(await commandLine.run(['secrets', 'set', 'X'], 'value')).toMatchObject({ code: 2 });
    expect(await commandLine.run(['secrets', 'set', 'X', '--host', 'a.example.com'])).toMatchObject({
      code: 2,
    });
    expect(await commandLine.run(['secrets', 'set', 'X', 'value', '--host', 'a.example.com'])).toMatchObject({
      code: 2,
    });
  });

  it('are deleted', async () => {
    await commandLine.run(['secrets', 'set', 'GONE', '--host', 'a.example.com'], 'a-value-of-it');
    expect(await commandLine.run(['secrets', 'delete', 'GONE', '--all-environments'])).toMatchObject({
      code: 0,
    });
    expect((await api.get('/v1/workspace/secrets/GONE')).status).toBe(404);
  });
});

describe('approvals', () => {
  const ask = (...args: string[]) => [
    'request',
    'api_key.create',
    ...['-f', 'name=Nightly', '--reason', 'For the export'],
    ...args,
  ];

  /** Starts a command that asks, and has a person decide. */
  async function decided(args: string[], decision: 'approve' | 'deny', body?: object) {
    const { ended, stderr } = commandLine.start(args);
    await expect.poll(stderr).toContain('/approvals/');
    const [, id] = /approvals\/(apr_\w+)/.exec(stderr())!;
    const answer = await owner.post(`/v1/workspace/approval-requests/${id}/${decision}`, body);
    expect(answer.status, answer.text).toBe(200);
    return ended;
  }

  it('bring a secret, on standard output alone', async () => {
    const { code, stdout, stderr } = await decided(ask(), 'approve');
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^svc_sk_\w+\n$/);
    expect(stderr).not.toContain('svc_sk_');
    expect((await client({ token: stdout.trim() }).get('/v1/workspace')).status).toBe(200);
  });

  it('bring it into a file for this user alone', async () => {
    const path = join(installed.directory, '.env');
    await writeFile(path, 'OTHER=1\nGATEHOUSE_API_KEY=old\n', { mode: 0o644 });
    const { code, stdout } = await decided(ask('--env-file', '.env'), 'approve');
    expect([code, stdout]).toEqual([0, '']);
    expect(await readFile(path, 'utf8')).toMatch(/^OTHER=1\nGATEHOUSE_API_KEY=svc_sk_\w+\n$/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('can be redeemed later, once', async () => {
    const filed = await commandLine.run(ask('--detach'));
    expect(filed.code).toBe(3);
    const id = filed.stdout.trim();
    expect(await commandLine.run(['redeem', id])).toMatchObject({ code: 2, stdout: '' });
    await owner.post(`/v1/workspace/approval-requests/${id}/approve`);
    expect((await commandLine.run(['approvals', 'view', id, '--json', 'status'])).stdout).toBe(
      '{"status":"approved"}\n',
    );
    expect((await commandLine.run(['redeem', id])).stdout).toMatch(/^svc_sk_/);
    expect(await commandLine.run(['redeem', id])).toMatchObject({ code: 2, stdout: '' });
    expect((await commandLine.run(['approvals', 'view', id])).stdout).toContain('completed');
  });

  it('that bring no secret are just done, or denied', async () => {
    const team = (name: string) => ['request', 'team.create', '-f', `name=${name}`, '--reason', 'We grow'];
    expect(await decided(team('Growth'), 'approve')).toMatchObject({ code: 0, stdout: '' });
    const denied = await decided(team('Other'), 'deny', { reason: 'Not now' });
    expect(denied).toMatchObject({ code: 4, stderr: expect.stringContaining('It was denied: Not now.') });
    const actions = await commandLine.run(['approvals', 'actions', '--json', 'id']);
    expect(JSON.parse(actions.stdout)).toContainEqual({ id: 'team.create' });
    expect(await commandLine.run(['request', 'nothing', '--reason', 'x'])).toMatchObject({ code: 2 });
  });
});
