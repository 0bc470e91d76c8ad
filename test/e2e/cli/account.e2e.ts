import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { type TestWorkspace, firstRun } from '../../../libs/testing/index.js';
import { CommandLine, ENTER } from '../../support/command-line.js';
import { baseUrl, client, newWorkspace, startGatehouse } from '../../support/gatehouse.js';

let commandLine: CommandLine;
let workspace: TestWorkspace;

beforeAll(async () => {
  [commandLine, workspace] = await Promise.all([CommandLine.build(), newWorkspace()]);
});
afterAll(() => commandLine?.remove());

const profiles = (): string => join(commandLine.directory, 'config', 'gatehouse', 'profiles.json');
const saved = async () => JSON.parse(await readFile(profiles(), 'utf8'));

/** Signs in in a browser that somebody else's hands guide. */
async function signIn(args: string[] = []): Promise<void> {
  const terminal = commandLine.terminal(['login', '--url', baseUrl(), ...args]);
  await terminal.shows(/\?user_code=\w/);
  const [, userCode] = /Compare this code in your browser: (\S+)/.exec(terminal.text)!;
  const app = client({ cookie: workspace.owner.cookie });
  const { body: asked } = await app.post('/v1/account/device-requests', { userCode });
  const input = { userCode, workspace: workspace.slug, scopes: asked.scopes };
  const approved = await app.post('/v1/account/device-requests/approve', input);
  expect(approved.status, approved.text).toBe(200);
  expect(await terminal.ended, terminal.text).toBe(0);
  expect(terminal.text).toContain(`Signed in to ${baseUrl()} as Olive Owner`);
}

describe('signing in by a browser', () => {
  beforeAll(() => signIn());

  it('keeps what came of it for this user alone', async () => {
    expect((await stat(profiles())).mode & 0o777).toBe(0o600);
    expect((await stat(join(profiles(), '..'))).mode & 0o777).toBe(0o700);
    expect(await saved()).toMatchObject({
      default: { url: baseUrl(), workspace: workspace.slug, token: { kind: 'signed_in' } },
    });
  });

  it('says who one is, in the fields that are asked for', async () => {
    const { code, stdout } = await commandLine.run(['whoami']);
    expect(code).toBe(0);
    expect(stdout).toContain(`Olive Owner <${workspace.owner.email}>`);
    const json = await commandLine.run(['whoami', '--json', 'person.name,role']);
    expect(JSON.parse(json.stdout)).toEqual({ 'person.name': 'Olive Owner', role: 'owner' });
    const wrong = await commandLine.run(['whoami', '--json', 'nmae']);
    expect(wrong).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('There are: url, person'),
    });
  });

  it('renews its token once, however many commands want to', async () => {
    const before = await saved();
    before.default.token.expiresAt = 0;
    await writeFile(profiles(), JSON.stringify(before));
    const all = await Promise.all([1, 2, 3].map(() => commandLine.run(['whoami'])));
    expect(all.map(({ code, stderr }) => [code, stderr])).toEqual(Array(3).fill([0, '']));
    const { token } = (await saved()).default;
    expect(token.refresh).not.toBe(before.default.token.refresh);
    expect((await commandLine.run(['whoami'])).code).toBe(0);
  });

  it('sends the token nowhere else', async () => {
    const { code, stderr } = await commandLine.run(['whoami', '--url', 'http://127.0.0.1:9']);
    expect(code).toBe(4);
    expect(stderr).toContain('You are signed in to');
  });

  it('acts in another environment', async () => {
    await client({ cookie: workspace.owner.cookie, workspace: workspace.slug }).post(
      '/v1/workspace/environments',
      {
        name: 'staging',
      },
    );
    expect(await commandLine.run(['use', '--env', 'nowhere'])).toMatchObject({ code: 2 });
    expect((await commandLine.run(['use', '--env', 'staging'])).stderr).toContain('staging');
    expect(JSON.parse((await commandLine.run(['whoami', '--json'])).stdout).environment).toBe('staging');
    const other = await commandLine.run(['use', 'another-workspace']);
    expect(other).toMatchObject({ code: 4, stderr: expect.stringContaining('gatehouse login --workspace') });
    expect((await commandLine.run(['use', workspace.slug])).code).toBe(0);
  });

  it('ends the token when signing out', async () => {
    const { access } = (await saved()).default.token;
    const { code, stderr } = await commandLine.run(['logout']);
    expect([code, stderr]).toEqual([0, `Signed out of ${baseUrl()}.\n`]);
    const api = client({ token: access, workspace: workspace.slug });
    expect((await api.get('/v1/user/me')).status).toBe(401);
    expect(await commandLine.run(['whoami'])).toMatchObject({
      code: 4,
      stderr: 'error: You are not signed in.\nRun: gatehouse login\n',
    });
  });
});

describe('signing in by a token', () => {
  beforeEach(() => commandLine.run(['logout']));

  it('reads it from a pipe, and keeps it out of sight', async () => {
    const args = ['login', '--token', '--url', baseUrl()];
    const { code, stderr } = await commandLine.run(args, `${workspace.owner.token}\n`);
    expect(code, stderr).toBe(0);
    expect(stderr).not.toContain(workspace.owner.token);
    expect((await commandLine.run(['whoami'])).code).toBe(0);
    expect((await commandLine.run(['logout'])).stderr).toContain('good still');
    expect((await client({ token: workspace.owner.token }).get('/v1/user/me')).status).toBe(200);
  });

  it('asks a person for the address and the token', async () => {
    const terminal = commandLine.terminal(['login', '--token']);
    await terminal.shows('Where is Gatehouse?');
    terminal.type(`${'\x7f'.repeat(40)}${baseUrl()}${ENTER}`);
    await terminal.shows('Token:');
    terminal.type(`${workspace.owner.token}${ENTER}`);
    expect(await terminal.ended, terminal.text).toBe(0);
    expect(terminal.raw).not.toContain(workspace.owner.token);
  });

  it('takes an API key, which needs no workspace', async () => {
    const key = await workspace.apiKey();
    const { code, stderr } = await commandLine.run(['login', '--token', '--url', baseUrl()], key);
    expect(code, stderr).toBe(0);
    expect((await commandLine.run(['whoami'])).stdout).toContain('none: an API key');
  });

  it('refuses one that is not good', async () => {
    const result = await commandLine.run(['login', '--token', '--url', baseUrl()], 'svc_pat_nonsense');
    expect(result.code).toBe(4);
    expect((await commandLine.run(['whoami'])).code).toBe(4);
  });
});

describe('a service without the tokens of persons', () => {
  let gatehouse: Awaited<ReturnType<typeof startGatehouse>>;
  const own = () => commandLine.with({ GATEHOUSE_PROFILE: 'without' });
  beforeAll(async () => {
    gatehouse = await startGatehouse({ env: { GATEHOUSE_PERSONAL_TOKENS: 'off' } });
  });
  afterAll(() => gatehouse?.stop());

  it('signs in with an API key only, and says so before a code is compared', async () => {
    const { code, stdout, stderr } = await own().run(['login', '--url', gatehouse.baseUrl]);
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toContain('GATEHOUSE_PERSONAL_TOKENS');
    expect(stderr).toContain('gatehouse login --token');
    expect(stderr).not.toContain('Compare this code');
    const { apiKey, personalAccessToken } = await firstRun(gatehouse);
    const given = await own().run(['login', '--token', '--url', gatehouse.baseUrl], apiKey);
    expect(given.code, given.stderr).toBe(0);
    expect((await own().run(['scripts', 'list'])).code).toBe(0);
    const personal = await own().run(['login', '--token', '--url', gatehouse.baseUrl], personalAccessToken);
    expect(personal.code).not.toBe(0);
    expect(personal.stderr).not.toContain(personalAccessToken);
  });

  it('refuses a sign-in that was good before, and says why', async () => {
    await commandLine.run(['logout']);
    await signIn();
    const before = await saved();
    before.default.url = gatehouse.baseUrl;
    await writeFile(profiles(), JSON.stringify(before));
    expect(await commandLine.run(['scripts', 'list'])).toMatchObject({
      code: 4,
      stderr: 'error: You are not signed in.\nRun: gatehouse login\n',
    });
    const doctor = await commandLine.run(['doctor']);
    expect(doctor.stdout).toContain('✗ sign-in: the service has the tokens of persons switched off');
  });
});

describe('settings of CI', () => {
  it('count before the profile', async () => {
    const ci = commandLine.as(workspace.owner.token, workspace.slug);
    const { stdout } = await ci.run(['whoami', '--json', 'workspace.slug,profile']);
    expect(JSON.parse(stdout)).toEqual({ 'workspace.slug': workspace.slug, profile: null });
    expect(await ci.with({ GATEHOUSE_WORKSPACE: 'nowhere' }).run(['whoami'])).toMatchObject({ code: 4 });
  });
});
