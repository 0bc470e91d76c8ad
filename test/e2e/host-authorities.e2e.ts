import { afterEach, beforeAll, describe, expect, it } from 'vitest';

import { CertificateAuthority, createLeafKey } from '../../libs/egress/index.js';
import { createClient, Seed, type TestWorkspace } from '../../libs/testing/index.js';
import { aGatedAttacker } from '../security/support/gated.js';
import { newSlug, publishedScript, run } from '../support/scripts.js';

const PATH = '/v1/workspace/host-authorities';
const author = aGatedAttacker();
const company = new CertificateAuthority({ name: 'Company authority' });
const other = new CertificateAuthority({ name: 'Other authority' });
const at = (host: string): string => `${PATH}/${encodeURIComponent(host)}`;
const anotherWorkspace = (): Promise<TestWorkspace> =>
  new Seed(author.gatehouse.baseUrl, author.database).workspace();
const as = (token: string, workspace: string) =>
  createClient({ baseUrl: author.gatehouse.baseUrl, token, workspace });
const set = (host: string, certificates = company.certificate) => author.api.put(at(host), { certificates });

describe('the authorities of a host', () => {
  let companyHost: string;
  let usualHost: string;
  let tlsHost: string;
  beforeAll(async () => {
    const local = async (port: Promise<number>) => `localhost:${await port}`;
    companyHost = await local(
      author.upstreams.start((_, response) => response.end('company'), { authority: company }),
    );
    usualHost = await local(author.upstreams.start((_, response) => response.end('usual')));
    tlsHost = await local(
      author.upstreams.startTls((socket) => socket.on('error', () => undefined).end('by TLS'), {
        authority: company,
      }),
    );
  });
  afterEach(async () => {
    const { body } = await author.api.get(PATH);
    for (const { host } of body.items) await author.api.delete(at(host));
  });

  /** What a script hears of a host, or the status of the gate. */
  const heardFrom = async (host: string, api = author.api): Promise<unknown> => {
    const code = `
import json, urllib.error, urllib.request
try: print(json.dumps(urllib.request.urlopen("https://${host}/", timeout=10).read().decode()))
except urllib.error.HTTPError as e: print(json.dumps(e.code))`;
    const script = await publishedScript(
      api,
      { 'main.py': code },
      { inputSchema: { type: 'object' }, hosts: [host], timeout: 30 },
    );
    const { body } = await run(api, script);
    return body.output;
  };

  it('count for its runs by HTTPS at once, in place of all others, until they are deleted', async () => {
    expect(await heardFrom(companyHost)).toBe(502);
    const { status, body } = await set(companyHost);
    expect([status, body.host]).toEqual([200, companyHost]);
    expect(body.certificates).toEqual([
      {
        subject: 'CN=Company authority',
        fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
        validFrom: expect.any(String),
        validUntil: expect.any(String),
        expired: false,
      },
    ]);
    expect(await heardFrom(companyHost)).toBe('company');
    expect(await heardFrom(usualHost)).toBe('usual');
    await set(usualHost);
    expect(await heardFrom(usualHost)).toBe(502);
    expect((await author.api.delete(at(usualHost))).status).toBe(204);
    expect(await heardFrom(usualHost)).toBe('usual');
    expect((await author.api.delete(at(usualHost))).status).toBe(404);
  });

  it('count for TLS as well, and for no other workspace', async () => {
    await set(tlsHost);
    await set(companyHost);
    const script = await author.script(
      `
host, port = "${tlsHost}".split(":")
with socket.create_connection((host, int(port)), 10) as s: print(json.dumps(s.recv(100).decode()))`,
      { hosts: [{ host: tlsHost, protocol: 'tls' }] },
    );
    expect((await author.run(script)).output).toBe('by TLS');
    const another = await anotherWorkspace();
    const stranger = as(another.owner.token, another.slug);
    expect((await stranger.get(PATH)).body.items).toEqual([]);
    expect(await heardFrom(companyHost, stranger)).toBe(502);
    expect((await stranger.delete(at(companyHost))).status).toBe(404);
    await stranger.put(at(companyHost), { certificates: other.certificate });
    expect(await heardFrom(companyHost)).toBe('company');
  });

  it('are listed by host, told of by an event and in the audit log, once for each change', async () => {
    const host = `${newSlug()}.example.com`;
    await set(`*.${host}:8443`);
    await set(host, company.certificate + other.certificate);
    await set(host, `\n${company.certificate}\n${other.certificate}`);
    const { body } = await author.api.get(PATH);
    expect(body.items.map((item: { host: string }) => item.host)).toEqual([`*.${host}:8443`, host]);
    expect(body.items[1].certificates).toHaveLength(2);
    await author.api.delete(at(host));
    const audit = await author.api.get('/v1/workspace/audit-events?limit=10');
    const own = audit.body.items.filter(
      ({ details }: { details: { host?: string } }) => details.host === host,
    );
    expect(own.map(({ action }: { action: string }) => action)).toEqual([
      'host_authorities.deleted',
      'host_authorities.set',
    ]);
    const { rows } = await author.database.query(
      `SELECT jsonb_array_length(data -> 'fingerprints') AS count FROM events
       WHERE workspace_id = $1 AND type = 'host_authorities.updated' AND data ->> 'host' = $2 ORDER BY id`,
      [author.workspace.id, host],
    );
    expect(rows).toEqual([{ count: 2 }, { count: 0 }]);
  });

  it('are of at most 20 hosts', async () => {
    for (let number = 0; number < 20; number++)
      expect((await set(`host${number}.example.com`)).status).toBe(200);
    expect((await set('host20.example.com')).status).toBe(409);
    expect((await set('host19.example.com', other.certificate)).status).toBe(200);
  });

  const leaf = company.issue({ hosts: ['db.test'], publicKey: createLeafKey().publicKey });
  it.each([
    ['no certificate', 'example.com', '', 'certificates'],
    ['a private key', 'example.com', createLeafKey().privateKey, 'certificates'],
    ["a server's certificate that another has issued", 'example.com', leaf, 'certificates'],
    ['too much', 'example.com', ' '.repeat(65_537), 'certificates'],
    ['an address', '10.0.0.1', company.certificate, 'host'],
    ['a path', 'example.com/x', company.certificate, 'host'],
  ])('are not %s', async (_, host, certificates, path) => {
    const { status, body, text } = await set(host, certificates);
    expect([status, body.error.details[0].path]).toEqual([400, path]);
    expect(text).not.toContain('BEGIN');
  });

  it('are set by owners in person, and by nobody who is less', async () => {
    const { slug, owner, person, apiKey } = await anotherWorkspace();
    const host = at('db.example.com');
    const body = { certificates: company.certificate };
    const admin = await person('admin');
    const asAdmin = as(admin.token, slug);
    expect((await asAdmin.put(host, body)).status).toBe(403);
    expect((await asAdmin.get(PATH)).status).toBe(200);
    expect((await as(await apiKey(), slug).put(host, body)).status).toBe(403);
    expect((await as(owner.token, slug).put(host, body)).status).toBe(200);
  });
});
