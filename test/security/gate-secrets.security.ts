import { readFileSync, readdirSync } from 'node:fs';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';

import { beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import { localClient } from '../support/gatehouse.js';
import { runUntil } from '../support/scripts.js';
import { eventually } from './support/attack.js';
import { aGatedAttacker } from './support/gated.js';
import { SECRET, expectNoSecret, secretHost as startSecretHost, withSecret } from './support/gate-secret.js';

const attacker = aGatedAttacker({ alone: true });
const secretHost = (listener: RequestListener): Promise<number> => startSecretHost(attacker, listener);

describe('a redirect', () => {
  it('to an undeclared host ends there', async () => {
    const port = await secretHost((_, response) => {
      response.writeHead(302, { location: 'https://evil.example/take' });
      response.end();
    });
    const end = await attacker.attempt(
      `
import urllib.request, urllib.error
try: urllib.request.urlopen("https://localhost:${port}/"); print("reached")
except urllib.error.HTTPError as e: print(json.dumps({"status": e.code, "url": e.url}))`,
      withSecret(port),
    );
    expect(end.output).toEqual({ status: 403, url: 'https://evil.example/take' });
    expect(await attacker.log(end.id)).toContain('gate: refused a request to evil.example');
    expect(end.network).toContainEqual(
      expect.objectContaining({ host: 'evil.example', requests: 0, denied: 1 }),
    );
  });

  it('to a second declared host arrives there without the secret', async () => {
    const heard: IncomingHttpHeaders[] = [];
    const second = await attacker.upstreams.start((request, response) => {
      heard.push(request.headers);
      response.end('second');
    });
    const port = await secretHost((_, response) => {
      response.writeHead(307, { location: `https://localhost:${second}/` });
      response.end();
    });
    const end = await attacker.attempt(
      `
import urllib.request
print(urllib.request.urlopen("https://localhost:${port}/").read().decode())`,
      withSecret(port, { hosts: [`localhost:${port}`, `localhost:${second}`] }),
    );
    expect(end.output).toBe('second');
    expect(heard).toHaveLength(1);
    expectNoSecret(JSON.stringify(heard));
    expect(heard[0]).not.toHaveProperty('x-key');
  });

  it('that carries the secret in its address shows none of it', async () => {
    const port = await secretHost((request, response) => {
      response.writeHead(302, { location: `/?k=${encodeURIComponent(request.headers['x-key'] as string)}` });
      response.end();
    });
    const found = await attacker.findings(`print(json.dumps([get(${port})["text"]]))`, withSecret(port));
    expect(found[0]).toContain('/?k=***');
    expectNoSecret(found[0]);
  });
});

describe('a secret', () => {
  it('goes to the host that its value names, not to all that the version declares for it', async () => {
    const heard: (string | undefined)[] = [];
    const listener: RequestListener = (request, response) => {
      heard.push(request.headers['x-key'] as string | undefined);
      response.end('ok');
    };
    const names = ['localhost', 'api.localhost', 'evil.localhost'];
    const port = await attacker.upstreams.start(listener, { names });
    await attacker.secret('API_KEY', SECRET, [`api.localhost:${port}`]);
    await attacker.findings(
      `for name in ("api.localhost", "evil.localhost", "localhost"): get(${port}, name=name)\nprint(1)`,
      {
        hosts: [`*.localhost:${port}`, `localhost:${port}`],
        secrets: { API_KEY: { header: 'x-key', host: `*.localhost:${port}` } },
      },
    );
    expect(heard).toEqual([SECRET, undefined, undefined]);
  });

  it('is what the host gets under its header, whatever the script sends under names like it', async () => {
    let raw: string[] = [];
    const port = await secretHost((request, response) => {
      raw = request.rawHeaders;
      response.end('ok');
    });
    await attacker.findings(
      `print(get(${port}, headers="X-Key: mine\\r\\nx_key: mine\\r\\nX-KEY: mine\\r\\nConnection: x-key\\r\\n")["status"])`,
      withSecret(port),
    );
    expect(raw.filter((_, index) => /^x.key$/i.test(raw[index - 1] ?? ''))).toEqual([SECRET]);
    expect(raw).not.toContain('mine');
  });
});

describe('a secret is nowhere but at its host', () => {
  let end: Json;
  let seen: string;
  beforeAll(async () => {
    let letGo!: () => void;
    const looked = new Promise<void>((go) => (letGo = go));
    const port = await secretHost((request, response) => {
      const end = (): unknown => response.end(`you sent ${request.headers['x-key'] as string}`);
      void (request.url === '/when-looked' ? looked.then(end) : end());
    });
    // It fails with all it has heard in its last words, and does what it can to leave a trace.
    const script = await attacker.script(
      `
import urllib.request
body = urllib.request.urlopen("https://localhost:${port}/").read().decode()
def whole(path):
    try: return open(path, "rb").read().decode("latin1")
    except OSError: return ""
found = [body, str(dict(os.environ)), " ".join(sys.argv)]
for pid in os.listdir("/proc"):
    if pid.isdigit(): found += [whole("/proc/%s/%s" % (pid, name)) for name in ("environ", "cmdline", "maps", "mountinfo")]
for root in ("/app", "/inputs", "/etc/ssl", "/tmp", "/run"):
    for folder, _, names in os.walk(root): found += [whole(os.path.join(folder, name)) for name in names if name != "main.py" and os.path.getsize(os.path.join(folder, name)) < 1000000]
open("/outputs/found.txt", "w").write("\\n".join(found))
sys.stderr.write("::progress 0.5 %s\\n" % body)
sys.stderr.write(body + "\\nwaiting\\n"); sys.stderr.flush()
sys.stdout.write(body + "\\n"); sys.stdout.flush()
urllib.request.urlopen("https://localhost:${port}/when-looked").read()
sys.exit("the end: " + body)`,
      withSecret(port, { timeout: 60 }),
    );
    const id = await attacker.begin(script);
    await runUntil(attacker.api, id, (run) => run.logLines >= 2);
    seen = processes();
    letGo();
    end = await runUntil(attacker.api, id, (run) => run.phase === 'finished');
    expect(end.status).toBe('failed');
  });

  it('not in argv or environ of any process of the machine while it runs', () => {
    expect(seen).toContain('main.py');
    expectNoSecret(seen);
  });

  it('not in environ, argv, /proc or any file that the script can read', async () => {
    const files = (await attacker.api.get(`/v1/runs/${end.id}`)).body.files ?? [];
    const listed = (files as Json[]).find(({ name }) => /found\.txt$/.test(name));
    const content = listed
      ? await attacker.api.get(`/v1/files/${listed.id}/content`)
      : { text: '', status: 0 };
    expect(content.status).toBe(200);
    expect(content.text).toContain('you sent ***');
    expect(content.text).toContain('attachedbygatehouse');
    expectNoSecret(content.text);
  });

  it('not in the log, the error, the progress, or any other answer of the API', async () => {
    expect(end.error).toBe('exit code 1: the end: you sent ***');
    const paths = [
      '/v1/runs',
      `/v1/runs/${end.id}`,
      `/v1/runs/${end.id}/log`,
      '/v1/workspace/secrets',
      '/v1/workspace/secrets/API_KEY',
      '/v1/workspace/audit-log',
      '/v1/workspace/audit',
      '/v1/events',
    ];
    for (const path of paths) expectNoSecret((await attacker.api.get(path)).text);
    expectNoSecret((await localClient().get('/metrics')).text);
    expect(await attacker.log(end.id)).toContain('you sent ***');
  });

  it('not in the answer of whoever sets it, nor in that to a wrong value', async () => {
    const put = await attacker.api.put('/v1/workspace/secrets/NEW_KEY', {
      value: SECRET,
      hosts: ['api.example.com'],
    });
    expectNoSecret(put.text);
    const wrong = await attacker.api.put('/v1/workspace/secrets/NEW_KEY', {
      value: `${SECRET}`,
      hosts: ['127.0.0.1'],
      more: SECRET,
    });
    expect(wrong.status).toBe(400);
    expectNoSecret(wrong.text);
    const broken = await attacker.attempt('print(1)', await unsendable());
    expect(broken.error).toMatch(/^the secret BROKEN cannot be sent: its value, in the header x-key/);
    expectNoSecret(JSON.stringify(broken));
  });

  it('not in what the service prints', async () => {
    expectNoSecret(await attacker.gatehouse.output());
  });

  it('not in a dump of the database, in whatever encoding', async () => {
    const { rows: tables } = await attacker.database.query<{ name: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
       WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
    );
    expect(tables.length).toBeGreaterThan(20);
    let dumped = 0;
    const hex = [SECRET, Buffer.from(SECRET).toString('base64').slice(0, 30)].map((form) =>
      Buffer.from(form).toString('hex'),
    );
    for (const { name } of tables) {
      const { rows } = await attacker.database.query<{ line: string }>(
        `SELECT t::text AS line FROM ${name} t`,
      );
      const dump = rows.map(({ line }) => line).join('\n');
      dumped += dump.length;
      // Rows double the quotes within texts.
      expectNoSecret(dump);
      expectNoSecret(dump.replaceAll('""', '"').replaceAll('\\\\', '\\'));
      for (const form of hex) expect(dump).not.toContain(form);
    }
    expect(dumped).toBeGreaterThan(1000);
  });

  it('and is known to have been used', { tags: 'slow' }, async () => {
    await eventually(async () => {
      const { values } = (await attacker.api.get('/v1/workspace/secrets/API_KEY')).body;
      return values[0].lastUsedAt !== null;
    });
  });
});

async function unsendable(): Promise<Record<string, unknown>> {
  await attacker.secret('BROKEN', `${SECRET}\r\nX-Smuggled: 1`, ['localhost']);
  return { hosts: ['localhost'], secrets: { BROKEN: { header: 'x-key', host: 'localhost' } } };
}

/** Command lines and environments of all processes, as far as they may be read; of this one, which knows the secret, nothing. */
function processes(): string {
  const own = [process.pid, process.ppid].map(String);
  const read = (path: string): string => {
    try {
      return readFileSync(path, 'latin1');
    } catch {
      return '';
    }
  };
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && !own.includes(pid))
    .map((pid) => read(`/proc/${pid}/cmdline`) + read(`/proc/${pid}/environ`))
    .join('\n');
}
