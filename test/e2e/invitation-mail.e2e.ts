import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Client, type GatehouseProcess, createClient, firstRun } from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { INVITATIONS, MEMBERS } from '../support/people.js';

let smtp: MailServer;
let app: GatehouseProcess;
let owner: Client;

beforeAll(async () => {
  smtp = await startMailServer();
  app = await startGatehouse({
    env: {
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      MAIL_FROM: 'gate@example.com',
      GATEHOUSE_PLANS: JSON.stringify({ default: { limits: { members: 2 } } }),
    },
  });
  const { personalAccessToken, workspace } = await firstRun(app);
  owner = createClient({ baseUrl: app.baseUrl, token: personalAccessToken!, workspace: workspace! });
});

afterAll(async () => {
  await app?.stop();
  await smtp?.stop();
});

const visitor = (): Client => createClient({ baseUrl: app.baseUrl });
const linkIn = (text: string): string => /^http\S+$/m.exec(text.replace(/\r/g, ''))![0];

describe('an invitation by mail', () => {
  it('is the only place where its link is, and can be accepted from there', async () => {
    const name = 'Zoë\u200d’s "Werkstatt" مساحة';
    expect((await owner.patch('/v1/workspace', { name })).status).toBe(200);
    const before = smtp.mails.length;
    const made = await owner.post(INVITATIONS, { email: 'Ada@Example.com', role: 'guest' });
    expect(made.status, made.text).toBe(201);
    expect(Object.keys(made.body).sort()).toEqual([
      'createdAt',
      'email',
      'expiresAt',
      'id',
      'role',
      'teamIds',
    ]);
    const mail = (await smtp.received(before + 1)).at(-1)!;
    expect(mail.to).toEqual(['ada@example.com']);
    // Isolated, since it is written in both directions.
    expect(mail.text).toContain(`"\u2068${name}\u2069"`);
    expect(mail.text).toContain('Owner invites you');
    expect(mail.text).toContain(made.body.expiresAt.slice(0, 10));
    const link = linkIn(mail.text);
    expect(link).toMatch(new RegExp(`^${app.baseUrl}/invitations/[0-9A-Za-z]{43}$`));
    const token = link.split('/').at(-1);
    const offer = await visitor().get(`/v1/invitations/${token}`);
    expect(offer.body).toMatchObject({ workspace: { name }, email: 'ada@example.com', role: 'guest' });
    const accepted = await visitor().post(`/v1/invitations/${token}/accept`, {
      name: 'Ada',
      password: 'analytical engine',
    });
    expect([accepted.status, accepted.body.workspaces[0].role]).toEqual([200, 'guest']);
    expect(app.output()).not.toContain(token);
  });

  it('waits when the plan allows no more members, until there is room again', async () => {
    const before = smtp.mails.length;
    expect((await owner.get(MEMBERS)).body.items).toHaveLength(2);
    await owner.post(INVITATIONS, { email: 'late@example.com' });
    const { text } = (await smtp.received(before + 1)).at(-1)!;
    const path = `/v1/invitations/${linkIn(text).split('/').at(-1)}/accept`;
    const account = { name: 'Late', password: 'analytical engine' };
    const refused = await visitor().post(path, account);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'quota_exceeded']);
    expect(refused.headers.get('set-cookie')).toBeNull();
    const [newest] = (await owner.get(MEMBERS)).body.items;
    expect((await owner.delete(`${MEMBERS}/${newest.id}`)).status).toBe(204);
    expect((await visitor().post(path, account)).status).toBe(200);
  });

  it('is not sent when there is none after all', async () => {
    const before = smtp.mails.length;
    await owner.post(INVITATIONS, { email: 'grace@example.com' });
    expect((await owner.post(INVITATIONS, { email: 'grace@example.com' })).status).toBe(409);
    expect((await owner.post(INVITATIONS, { email: 'alan@example.com', teamIds: ['x'] })).status).toBe(400);
    await owner.post(INVITATIONS, { email: 'last@example.com' });
    const mails = await smtp.received(before + 2);
    expect(
      mails
        .slice(before)
        .flatMap(({ to }) => to)
        .sort(),
    ).toEqual(['grace@example.com', 'last@example.com']);
  });

  it('reaches an address in any script that an account can have', async () => {
    const before = smtp.mails.length;
    const made = await owner.post(INVITATIONS, { email: 'zoë@bücher.example' });
    expect(made.status, made.text).toBe(201);
    expect((await owner.get(INVITATIONS)).body.items[0].email).toBe('zoë@bücher.example');
    const mail = (await smtp.received(before + 1)).at(-1)!;
    expect(mail.text).toContain(linkIn(mail.text));
  });
});
