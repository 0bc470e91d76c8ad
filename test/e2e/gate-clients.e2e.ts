import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import { aGatedAttacker } from '../security/support/gated.js';
import { publishedScript, run } from '../support/scripts.js';
import { echo } from '../support/upstream.js';

const SECRET = 'sk_live_clients_90210';

/** Whose scripts are harmless here: each uses a client as anybody would. */
const author = aGatedAttacker();
let directory: string;
let port: number;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-clients-'));
  await promisify(execFile)('git', ['init', '-q', '-b', 'main', join(directory, 'repository')]);
  const git = (...command: string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...command], {
      cwd: join(directory, 'repository'),
      encoding: 'utf8',
    });
  git('commit', '-q', '--allow-empty', '-m', 'first');
  git('update-server-info');
  port = await author.upstreams.start(serve);
  await author.secret('API_KEY', SECRET, [`localhost:${port}`]);
});

afterAll(() => rm(directory, { recursive: true, force: true }));

/** Files of the repository under /git, as git's plain protocol wants them; otherwise an echo. */
const serve: RequestListener = (request, response) => {
  const path = /^\/git\/([\w/.-]+)/.exec(request.url ?? '')?.[1];
  if (path === undefined) return void echo(request, response);
  readFile(join(directory, 'repository', '.git', path)).then(
    (bytes) => response.end(bytes),
    () => response.writeHead(404).end(),
  );
};

/** Runs files that use a client, with the secret attached as a bearer token. */
async function use(command: string, files: Record<string, string | Buffer>): Promise<{ body: Json }> {
  const script = await publishedScript(author.api, files, {
    command,
    timeout: 20,
    hosts: [`localhost:${port}`],
    secrets: { API_KEY: { header: 'authorization', value: 'Bearer {secret}', host: `localhost:${port}` } },
  });
  const { status, body, text } = await run(author.api, script, { url: url() });
  expect(status, text).toBe(200);
  return { body };
}

const url = (): string => `https://localhost:${port}/path?q=1`;

/** The host got the request with the secret, and the script saw none of it. */
function expectAnswered(body: Json, method = 'GET'): void {
  expect(body).toMatchObject({ status: 'succeeded', error: null });
  expect(body.output).toMatchObject({ method, url: '/path?q=1' });
  expect(body.output.headers).toMatchObject({ authorization: 'Bearer ***', host: `localhost:${port}` });
  expect(body.network).toMatchObject([{ host: `localhost:${port}`, requests: 1, denied: 0 }]);
}

const python = (code: string): [string, Record<string, string>] => [
  'python3 main.py {url}',
  { 'main.py': `import sys\nurl = sys.argv[1]\n${code}` },
];
const node = (code: string): [string, Record<string, string>] => [
  'node main.mjs {url}',
  { 'main.mjs': `const url = process.argv[2];\n${code}` },
];
const shell = (code: string): [string, Record<string, string>] => ['bash main.sh {url}', { 'main.sh': code }];

describe('a client that knows nothing of the gate reaches its host', () => {
  it.each<[string, [string, Record<string, string>]]>([
    ['Python urllib', python('import urllib.request\nprint(urllib.request.urlopen(url).read().decode())')],
    [
      'Python http.client',
      python(`import http.client, urllib.parse
parts = urllib.parse.urlsplit(url)
c = http.client.HTTPSConnection(parts.netloc); c.request("GET", parts.path + "?" + parts.query); print(c.getresponse().read().decode())`),
    ],
    [
      'Python ssl and socket',
      python(`import socket, ssl, urllib.parse
parts = urllib.parse.urlsplit(url)
with ssl.create_default_context().wrap_socket(socket.create_connection((parts.hostname, parts.port)), server_hostname=parts.hostname) as s:
    s.sendall(("GET %s?%s HTTP/1.0\\r\\nHost: %s\\r\\n\\r\\n" % (parts.path, parts.query, parts.netloc)).encode())
    print(b"".join(iter(lambda: s.recv(65536), b"")).partition(b"\\r\\n\\r\\n")[2].decode())`),
    ],
    [
      'Python asyncio',
      python(`import asyncio, urllib.parse
parts = urllib.parse.urlsplit(url)
async def main():
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port, ssl=True)
    writer.write(("GET %s?%s HTTP/1.0\\r\\nHost: %s\\r\\n\\r\\n" % (parts.path, parts.query, parts.netloc)).encode())
    print((await reader.read()).decode().partition("\\r\\n\\r\\n")[2])
asyncio.run(main())`),
    ],
    ['Node fetch', node('console.log(await (await fetch(url)).text());')],
    ['Node https', node('import https from "node:https";\nhttps.get(url, (r) => r.pipe(process.stdout));')],
    [
      'Node https with an agent that keeps connections',
      node(
        'import https from "node:https";\nconst agent = new https.Agent({ keepAlive: true });\nhttps.get(url, { agent }, (r) => { r.pipe(process.stdout); r.on("end", () => agent.destroy()); });',
      ),
    ],
    ['curl', shell('curl -sS --fail "$1"')],
    ['curl that would like HTTP/2', shell('curl -sS --fail --http2 "$1"')],
    ['wget', shell('wget -q -O - "$1"')],
    [
      'openssl s_client',
      shell(
        'host="${1#https://}"; path="/${host#*/}"; host="${host%%/*}"\n(printf "GET %s HTTP/1.0\\r\\nHost: %s\\r\\n\\r\\n" "$path" "$host"; sleep 2) | openssl s_client -quiet -verify_return_error -connect "$host" -servername "${host%:*}" 2>/dev/null | sed "1,/^\\r$/d"',
      ),
    ],
  ])('%s', async (_, [command, files]) => {
    const { body } = await use(command, files);
    expectAnswered(body);
  });

  it.each<[string, [string, Record<string, string>]]>([
    [
      'Python urllib',
      python('import urllib.request\nprint(urllib.request.urlopen(url, data=b"x" * 100000).read().decode())'),
    ],
    [
      'Node fetch, as a stream',
      node(
        'const body = new Blob(["x".repeat(100000)]).stream();\nconsole.log(await (await fetch(url, { method: "POST", body, duplex: "half" })).text());',
      ),
    ],
    [
      'curl, which waits for 100 Continue',
      shell(
        'head -c 100000 /dev/zero | tr "\\0" x | curl -sS --fail -H "Expect: 100-continue" --data-binary @- "$1"',
      ),
    ],
    [
      'curl, in chunks',
      shell(
        'head -c 100000 /dev/zero | tr "\\0" x | curl -sS --fail -H "Transfer-Encoding: chunked" --data-binary @- "$1"',
      ),
    ],
  ])('and sends a body: %s', async (_, [command, files]) => {
    const { body } = await use(command, files);
    expectAnswered(body, 'POST');
    expect(body.output.body).toBe('x'.repeat(100_000));
  });

  it('Node http2 is told politely that this is HTTP/1.1', async () => {
    const { body } = await use(
      ...node(
        'import http2 from "node:http2";\nconst session = http2.connect(url);\nsession.on("error", (error) => { console.log(JSON.stringify({ code: error.code })); session.destroy(); });\nsession.request({ ":path": "/" }).on("error", () => {});',
      ),
    );
    expect(body).toMatchObject({ status: 'succeeded' });
    expect(body.output.code).toMatch(
      /^ERR_(HTTP2_ERROR|SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL)|^ECONNRESET$/,
    );
    expect(await author.log(body.id)).toContain('its TLS client speaks no HTTP/1.1');
  });

  it('git lists and clones a repository', async () => {
    const { body } = await use(
      ...shell(
        'set -e\nrepository="${1%/path*}/git"\ngit ls-remote "$repository" refs/heads/main | cut -c1-40 > /tmp/listed\ngit clone -q "$repository" /tmp/cloned\ntest "$(cat /tmp/listed)" = "$(git -C /tmp/cloned rev-parse HEAD)"\ngit -C /tmp/cloned log --format=%s',
      ),
    );
    expect(body).toMatchObject({ status: 'succeeded', error: null, output: 'first' });
  });

  it('Go, as a static binary', { tags: 'slow', timeout: 300_000 }, async (context) => {
    const go = await goProgram();
    if (go === null) {
      console.warn(
        'gate-clients: there is no Go on this machine (go is not on PATH), so its client is not tried',
      );
      return context.skip();
    }
    const { body } = await use('./client {url}', { client: go });
    expectAnswered(body);
  });

  it('and no variable of a proxy is set', async () => {
    const { body } = await use(
      ...python('import json, os\nprint(json.dumps([n for n in os.environ if "proxy" in n.lower()]))'),
    );
    expect(body.output).toEqual([]);
  });
});

async function goProgram(): Promise<Buffer | null> {
  const folder = join(directory, 'go');
  const source = `package main
import ("io"; "net/http"; "os")
func main() {
	answer, err := http.Get(os.Args[1])
	if err != nil { panic(err) }
	io.Copy(os.Stdout, answer.Body)
}
`;
  await promisify(execFile)('mkdir', ['-p', folder]);
  await writeFile(join(folder, 'main.go'), source);
  const build = promisify(execFile)('go', ['build', '-ldflags=-s -w', '-o', 'client', 'main.go'], {
    cwd: folder,
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '', GO111MODULE: 'off', GOTOOLCHAIN: 'local' },
  });
  const missing = await build.then(
    () => false,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return true;
      throw error;
    },
  );
  return missing ? null : readFile(join(folder, 'client'));
}
