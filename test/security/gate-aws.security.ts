import type { RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { beforeEach, describe, expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import { newSlug, archiveOf, publishedScript, run } from '../support/scripts.js';
import type { VersionFields } from './support/attack.js';
import { aGatedAttacker } from './support/gated.js';

const attacker = aGatedAttacker();
const TEMPLATE = 'AWS4-HMAC-SHA256 {secret}';
const ONE = {
  accessKeyId: 'AKIAIOSFODNN7ONEONE1',
  secretAccessKey: 'oneOne+/1MDENG+bPxRfiCYEXAMPLEKEYoneOne1',
  sessionToken: 'FwoGZXIvYXdzEJr//////////one-one-one==',
};
const TWO = {
  accessKeyId: 'AKIAIOSFODNN7TWOTWO2',
  secretAccessKey: 'twoTwo+/2MDENG+bPxRfiCYEXAMPLEKEYtwoTwo2',
};

interface Came {
  host: string;
  raw: string[];
}

/** Two hosts with keys of their own, and a third that gets nothing. */
let one: string;
let two: string;
let third: string;
let came: Came[] = [];

const ESCAPED: Record<string, (text: string) => string> = {
  '/raw': (text) => text,
  '/hex': (text) => Buffer.from(text).toString('hex'),
  '/base64': (text) => Buffer.from(`x${text}`).toString('base64'),
  '/html': (text) => text.replaceAll('/', '&#x2F;').replaceAll('=', '&#x3D;'),
  '/html-of-go': (text) => text.replaceAll('+', '&#43;'),
  '/url': encodeURIComponent,
  '/json': (text) => JSON.stringify(JSON.stringify({ text })),
};

/** As a host that knows the keys, and says them in each way. */
const reflect: RequestListener = (request, response) => {
  void buffer(request).then(() => {
    came.push({ host: request.headers.host!, raw: request.rawHeaders });
    const say = ESCAPED[request.url!.replace(/\?.*/, '')] ?? ((text: string) => text);
    const all = [...Object.values(ONE), ...Object.values(TWO), ...request.rawHeaders];
    const status = request.headers.range === undefined ? 200 : 206;
    response.writeHead(status, { 'x-seen': request.rawHeaders.join(' ') }).end(all.map(say).join('\n'));
  });
};

beforeEach(async () => {
  const start = async (): Promise<string> => `localhost:${await attacker.upstreams.start(reflect)}`;
  [one, two, third] = [await start(), await start(), await start()];
  await keys('ONE_KEYS', ONE, one);
  await keys('TWO_KEYS', TWO, two);
  came = [];
});

async function keys(name: string, value: object, host: string): Promise<void> {
  const body = { kind: 'aws', value: JSON.stringify(value), hosts: [host] };
  const { status, text } = await attacker.api.put(`/v1/workspace/secrets/${name}`, body);
  expect(status, text).toBe(200);
}

const use = (host: string) => ({ header: 'authorization', value: TEMPLATE, host });
const fields = (): VersionFields => ({
  hosts: [one, two, third],
  secrets: { ONE_KEYS: use(one), TWO_KEYS: use(two) },
});

/** In Python: a request that is signed, badly, with keys of this name, and maybe further headers. */
const SIGNED = `
def signed(host, path="/raw", key="AKIAGATEHOUSEATTACHED", headers="", scope="us-east-1/s3", own=None):
    authorization = "Authorization: AWS4-HMAC-SHA256 Credential=%s/20260101/%s/aws4_request, SignedHeaders=host;x-amz-date, Signature=%s\\r\\n" % (key, scope, "0" * 64)
    port = int(host.split(":")[1])
    return ask(port, "GET %s HTTP/1.1\\r\\nHost: %s\\r\\nx-amz-date: 20990101T000000Z\\r\\n%s%s\\r\\n" % (path, own or host, authorization, headers))
`;
const attack = (code: string): Promise<Json> => attacker.findings(SIGNED + code, fields());
const header = ({ raw }: Came, name: string): string | undefined => {
  const index = raw.findIndex((text, at) => at % 2 === 0 && text.toLowerCase() === name);
  return index < 0 ? undefined : raw[index + 1];
};

function expectNoKeys(text: string): void {
  for (const key of [...Object.values(ONE), ...Object.values(TWO)]) {
    for (const say of Object.values(ESCAPED)) {
      // What comes before and after in base64 may be any letter.
      const form = say(key).replaceAll('"', '').replaceAll('\\', '').slice(2, -4);
      expect(text).not.toContain(form);
    }
  }
}

describe('AWS keys', () => {
  it('are nowhere in the box', async () => {
    const found = await attack(`
found = json.dumps(dict(os.environ))
for place in ("/app", "/tmp", "/inputs", os.environ["HOME"]):
    for folder, _, files in os.walk(place):
        for name in files:
            try: found += open(os.path.join(folder, name), errors="replace").read()
            except OSError: pass
print(json.dumps(found))`);
    expectNoKeys(String(found));
    expect(found).toContain('AKIAGATEHOUSEATTACHED');
  });

  it('sign for their own host only, whichever keys a script names', async () => {
    await attack(`
for host in ("${one}", "${two}", "${third}"):
    for key in ("${ONE.accessKeyId}", "${TWO.accessKeyId}", "ONE_KEYS", "TWO_KEYS"): signed(host, key=key)
print(1)`);
    const used = came.map((call) => [
      call.host,
      /Credential=([^/]+)/.exec(header(call, 'authorization')!)![1],
    ]);
    expect(used).toEqual([
      ...Array.from({ length: 4 }, () => [one, ONE.accessKeyId]),
      ...Array.from({ length: 4 }, () => [two, TWO.accessKeyId]),
      ...[ONE.accessKeyId, TWO.accessKeyId, 'ONE_KEYS', 'TWO_KEYS'].map((key) => [third, key]),
    ]);
  });

  it('sign no request that says it is for another host, and none for later', async () => {
    const statuses = await attack(`
found = [signed("${one}", own="${two}")["status"]]
found.append(signed("${one}", headers="Host: ${two}\\r\\n")["status"])
found.append(signed("${one}", headers="X-Forwarded-Host: ${two}\\r\\nX-Amz-Date: 20990101T000000Z\\r\\n")["status"])
print(json.dumps(found))`);
    expect(statuses).toEqual([421, 400, 200]);
    const [call] = came;
    const year = String(new Date().getUTCFullYear());
    expect([came.length, call!.host, header(call!, 'x-amz-date')!.slice(0, 4)]).toEqual([1, one, year]);
    expect(header(call!, 'authorization')).toMatch(/SignedHeaders=host;x-amz-date;x-amz-security-token,/);
  });

  it.each(Object.keys(ESCAPED))('are not told by a host that reflects them: %s', async (path) => {
    const found = await attack(`print(json.dumps(signed("${one}", "${path}")["text"]))`);
    expect(came).toHaveLength(1);
    expectNoKeys(String(found));
  });

  it('are not told in parts of a body', async () => {
    const found = await attack(
      `print(json.dumps(signed("${one}", headers="Range: bytes=0-\\r\\n")["text"]))`,
    );
    expect(found).toContain('206');
    expectNoKeys(String(found));
  });

  it.each([
    ['attached like a text', { header: 'x-key' }, 'never sent'],
    ['in Basic credentials', { header: 'authorization', value: 'Basic {base64:a:{secret}}' }, 'never sent'],
    ['under another header', { header: 'x-key', value: TEMPLATE }, 'must be authorization'],
  ])('are not %s', async (_, asked, words) => {
    const slug = newSlug();
    await attacker.api.post('/v1/scripts', { slug, name: slug });
    const archive = await archiveOf({ 'main.py': 'print(1)' });
    const version = { archive, hosts: [one], secrets: { ONE_KEYS: { host: one, ...asked } } };
    const { status, body } = await attacker.api.post(`/v1/scripts/${slug}/versions`, version);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(words)]);
    expectNoKeys(JSON.stringify(body));
  });

  it('are not sent by a version that was made while the name held a text', async () => {
    const name = 'CHANGING';
    await attacker.secret(name, 'a text for now', [one]);
    const script = await publishedScript(
      attacker.api,
      { 'main.py': 'print(1)' },
      { hosts: [one], secrets: { [name]: { header: 'x-key', host: one } } },
    );
    expect((await attacker.api.delete(`/v1/workspace/secrets/${name}`)).status).toBe(204);
    await keys(name, ONE, one);
    const { body } = await run(attacker.api, script);
    expect(body).toMatchObject({ status: 'failed', error: expect.stringContaining('never sent') });
    expect(came).toEqual([]);
  });
});
