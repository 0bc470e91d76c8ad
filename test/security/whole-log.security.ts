import { describe, expect, it } from 'vitest';

import { type Client, createClient, type Json } from '../../libs/testing/index.js';
import { baseUrl, client, database, newWorkspace } from '../support/gatehouse.js';
import { byToken, newTeam } from '../support/people.js';
import { finished, python, run, runUntil } from '../support/scripts.js';
import { anAttacker } from './support/attack.js';

const MiB = 1024 * 1024;
const attacker = anAttacker();
const PRINTS = 'import sys\nfor n in range(20000): print("line", n, file=sys.stderr)';

/** The bytes of a whole log, which is not kept. */
async function download(id: string, take: (chunk: Buffer) => void): Promise<number> {
  const response = await fetch(`${baseUrl()}/v1/runs/${id}/log/content`, { headers: attacker.headers });
  expect(response.status).toBe(200);
  let bytes = 0;
  for await (const chunk of response.body!) {
    bytes += chunk.length;
    take(Buffer.from(chunk));
  }
  return bytes;
}

describe('the whole log is not read', () => {
  it('by another workspace, a guest who did not start the run, or a member who does not see the script', async () => {
    const workspace = await newWorkspace();
    const owner = byToken(workspace.owner, workspace);
    const script = await python(owner, PRINTS);
    const team = await newTeam(workspace, 'others');
    const hidden = await owner.patch(`/v1/scripts/${script.slug}`, { access: 'teams', teamIds: [team.id] });
    expect(hidden.status, hidden.text).toBe(200);
    const { id } = (await run(owner, script)).body;
    await runUntil(owner, id, finished);
    const elsewhere = await newWorkspace();
    const others: [Client, number][] = [
      [byToken(elsewhere.owner, elsewhere), 404],
      [byToken(await workspace.person('guest'), workspace), 404],
      [byToken(await workspace.person('member'), workspace), 404],
      [client({ token: await elsewhere.apiKey('production') }), 404],
      [createClient({ baseUrl: baseUrl() }), 401],
    ];
    for (const path of [`/v1/runs/${id}/log/content`, `/v1/runs/${id}/log?q=line%209999`]) {
      for (const [other, status] of others)
        expect([path, (await other.get(path)).status]).toEqual([path, status]);
      expect((await owner.get(path)).text).toContain('line 9999');
    }
    const { rows } = await database().query('SELECT blob_key FROM run_log_parts WHERE run_id = $1', [id]);
    for (const { blob_key: key } of rows) {
      const fileId = (key as string).split('/')[1]!;
      for (const path of [`/v1/files/${fileId}`, `/v1/files/${fileId}/content`])
        expect((await owner.get(path)).status).toBe(404);
      expect((await owner.delete(`/v1/files/${fileId}`)).status).toBe(404);
      const taken = await run(owner, await python(owner, 'pass', { inputSchema: FILE }), { file: fileId });
      expect(taken.status).toBe(400);
    }
    expect(JSON.stringify((await owner.get('/v1/files')).body.items)).toBe('[]');
  });
});

const FILE = { type: 'object', properties: { file: { type: 'string', format: 'file' } } };

describe('a secret that a script prints', () => {
  it('is masked in all of the whole log, wherever its pieces are written', async () => {
    const value = 'first-line-of-it\nsecond-line-of-it';
    const put = await attacker.api.put('/v1/workspace/secrets/PRINTED', { value, hosts: [], allowEnv: true });
    expect(put.status, put.text).toBe(200);
    const { id, logLines } = await attacker.attempt(
      `
import base64
secret = os.environ["PRINTED"].encode()
forms = [secret, base64.b64encode(secret), json.dumps(secret.decode()).encode()]
text = b"".join(b"%d " % n + forms[n % 3] + b" end\\n" for n in range(60000))
size = 1
at = 0
while at < len(text):
    os.write(2, text[at:at + size])
    at += size
    size = size * 7 % 65521
`,
      { env: ['PRINTED'], timeout: 120 },
    );
    const { wholeLog } = (await attacker.api.get(`/v1/runs/${id}`)).body;
    expect(wholeLog.missingLines).toBe(0);
    let text = '';
    await download(id, (chunk) => (text += chunk.toString('latin1')));
    expect(text.match(/\*\*\*/g)!.length).toBeGreaterThanOrEqual(60_000);
    expect(text.split('\n')).toHaveLength(logLines + 1);
    for (const part of ['line-of-it', Buffer.from(value).toString('base64').slice(4, 30)])
      expect(text.includes(part)).toBe(false);
    expect((await attacker.api.get(`/v1/runs/${id}/log?q=line-of-it`)).body).toMatchObject({ lines: [] });
  }, 180_000);
});

describe('a flood', () => {
  it('of 1 GiB ends within its limits, and says how many lines are missing', async () => {
    const script = await attacker.script(
      `
line = (b"x" * 1000 + b"\\n") * 1000
for _ in range(1024): os.write(2, line + b"y" * (1024 * 1024 - len(line) - 1) + b"\\n")
raise ValueError("the reason")
`,
      { timeout: 240 },
    );
    const { body } = await attacker.api.post(`/v1/scripts/${script.slug}/runs`, {});
    const end: Json = await runUntil(attacker.api, body.id, finished, 280_000);
    expect(end).toMatchObject({ status: 'failed', error: 'exit code 1: ValueError: the reason' });
    const { wholeLog, logLines } = end;
    expect(wholeLog.bytes).toBeLessThan(265 * MiB);
    expect(wholeLog.missingLines).toBeGreaterThan(logLines / 2);
    let tail = '';
    let newlines = 0;
    const bytes = await download(body.id, (chunk) => {
      for (const byte of chunk) if (byte === 10) newlines++;
      tail = (tail + chunk.toString('latin1')).slice(-100);
    });
    expect(bytes).toBe(wholeLog.bytes);
    expect(tail).toMatch(/ValueError: the reason\n$/);
    expect(newlines).toBeLessThan(logLines);
    for (let after = 0, more = true; more;) {
      const found = (await attacker.api.get(`/v1/runs/${body.id}/log?q=the+reason&after=${after}`)).body;
      expect(found.next).toBeGreaterThan(after);
      ({ next: after, more = false } = found);
      if (!more) expect(found.lines).toContain('ValueError: the reason');
    }
  }, 300_000);
});
