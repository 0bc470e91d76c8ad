import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import pg from 'pg';

import { type TestPerson, type TestWorkspace, Seed, createClient } from '../../../libs/testing/index.js';
import { startGatehouse } from '../../support/gatehouse.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import { newSlug, newVersion } from '../../support/scripts.js';
import { ask } from '../../support/approvals.js';

let smtp: MailServer;
let gatehouse: Awaited<ReturnType<typeof startGatehouse>>;
let pool: pg.Pool;
let ws: TestWorkspace;
let admin: TestPerson;
let member: TestPerson;

beforeAll(async () => {
  smtp = await startMailServer();
  gatehouse = await startGatehouse({
    env: {
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      MAIL_FROM: 'gate@example.com',
      GATEHOUSE_SIGNUP: 'open',
    },
  });
  pool = new pg.Pool({ connectionString: gatehouse.databaseUrl, max: 2 });
  ws = await new Seed(gatehouse.baseUrl, pool).workspace();
  [admin, member] = await Promise.all([ws.person('admin'), ws.person('member')]);
  await ws.person('guest');
});

afterAll(async () => {
  await pool?.end();
  await gatehouse?.stop();
  await smtp?.stop();
});

const by = ({ token }: TestPerson) => createClient({ baseUrl: gatehouse.baseUrl, token, workspace: ws.slug });

const told = (text: string): string[] =>
  smtp.mails
    .filter((mail) => mail.text.includes(text))
    .flatMap(({ to }) => to)
    .sort();

describe('everyone who may decide is told by mail', () => {
  it('what will happen, why, and where to decide', async () => {
    const asked = await ask(by(member), 'environment.create', { name: 'staging' }, 'For the\nnew release');
    await expect.poll(() => told(asked.approveUrl)).toEqual([admin.email, ws.owner.email].sort());
    const mail = smtp.mails.find(({ text }) => text.includes(asked.approveUrl))!;
    expect(mail.headers['subject']).toBe('Approval needed in Acme: Make an environment');
    const text = mail.text.replaceAll('\r\n', '\n');
    expect(text).toContain(asked.summary);
    expect(text).toContain('> For the\n> new release');
    expect(text).toContain('Asked for by: Member Person');
  });

  it("but not a script's owner of a run that the environment holds, nor who asked for a test while others can", async () => {
    const slug = newSlug();
    await by(member).post('/v1/scripts', { slug, name: 'Report' });
    await newVersion(by(member), slug, { 'main.py': 'print(1)' });
    await by(member).post(`/v1/scripts/${slug}/publish`, { version: 1 });
    const guarded = { name: 'guarded', approvalPolicy: 'always' };
    await by(ws.owner).post('/v1/workspace/environments', guarded);
    const held = await by(member).post(`/v1/scripts/${slug}/runs`, {}, { 'x-environment': guarded.name });
    const admins = [admin.email, ws.owner.email].sort();
    await expect.poll(() => told(held.body.approval.approveUrl)).toEqual(admins);

    await by(admin).patch('/v1/workspace/script-settings', { publishNeedsSecondPerson: true });
    await newVersion(by(admin), slug, { 'main.py': 'print(2)' });
    const tested = await by(admin).post(`/v1/scripts/${slug}/versions/2/runs`, {});
    await expect.poll(() => told(tested.body.approval.approveUrl)).toEqual([ws.owner.email]);
    await by(admin).patch('/v1/workspace/script-settings', { publishNeedsSecondPerson: false });
  });

  it('but not admins of what only owners may do, nor who asked where it takes a second person', async () => {
    const hook = await ask(by(admin), 'webhook_endpoint.create', { url: 'https://hooks.example.com/' });
    await expect.poll(() => told(hook.approveUrl)).toEqual([ws.owner.email]);

    const slug = newSlug();
    await by(admin).post('/v1/scripts', { slug, name: 'Report' });
    await newVersion(by(admin), slug, { 'main.py': 'print(1)' });
    await by(admin).patch('/v1/workspace/script-settings', { publishNeedsSecondPerson: true });
    const { body } = await by(admin).post(`/v1/scripts/${slug}/publish`, { version: 1 });
    await expect.poll(() => told(body.approval.approveUrl)).toEqual([ws.owner.email]);
  });
});
