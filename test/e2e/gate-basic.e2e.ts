import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import { aGatedAttacker } from '../security/support/gated.js';
import { housemadeWheel } from '../support/mirror.js';
import { archiveOf, newSlug, publishedScript, run } from '../support/scripts.js';

const TOKEN = 'tok_live_basic_4711';
const CREDENTIALS = `Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString('base64')}`;
const WHEEL = 'housemade-1.0-py3-none-any.whl';

/** Its scripts are harmless here. */
const author = aGatedAttacker();
let directory: string;
let host: string;
let refused = 0;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-basic-'));
  const repository = join(directory, 'private.git');
  const git = (...command: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...command]);
  git('init', '-q', '-b', 'main', join(directory, 'work'));
  git('-C', join(directory, 'work'), 'commit', '-q', '--allow-empty', '-m', 'behind credentials');
  git('clone', '-q', '--bare', join(directory, 'work'), repository);
  git('-C', repository, 'config', 'http.receivepack', 'true');
  host = `localhost:${await author.upstreams.start(serve)}`;
  await author.secret('TOKEN', TOKEN, [host]);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** A git server, and an index of Python packages, both for those with credentials alone. */
const serve: RequestListener = (request, response) => {
  const { pathname } = new URL(request.url!, 'https://localhost');
  if (request.headers.authorization !== CREDENTIALS) {
    refused += 1;
    return void response.writeHead(401, { 'www-authenticate': 'Basic realm="private"' }).end();
  }
  if (pathname.startsWith('/private.git/')) return gitBackend(request, response);
  if (pathname === '/simple/housemade/') {
    return void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<a href="/${WHEEL}">${WHEEL}</a>`);
  }
  if (pathname === `/${WHEEL}`) return void response.end(housemadeWheel());
  if (pathname === '/echo') return void response.end(JSON.stringify(request.headers));
  response.writeHead(404).end();
};

/** git's own server, by CGI. */
function gitBackend(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url!, 'https://localhost');
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: directory,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      ...(request.headers['content-encoding'] && {
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
      }),
    },
  });
  request.pipe(backend.stdin);
  const chunks: Buffer[] = [];
  backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  backend.stdout.once('end', () => {
    const all = Buffer.concat(chunks);
    const end = all.indexOf('\r\n\r\n');
    for (const line of all.subarray(0, end).toString().split('\r\n')) {
      const [name, value] = line.split(/: (.*)/s);
      if (name === 'Status') response.statusCode = Number(value!.slice(0, 3));
      else response.setHeader(name!, value!);
    }
    response.end(all.subarray(end + 4));
  });
}

const USE = { header: 'authorization', value: 'Basic {base64:x-access-token:{secret}}' };

async function output(shell: string): Promise<Json> {
  const script = await publishedScript(
    author.api,
    { 'main.sh': `set -e\n${shell}` },
    { command: 'bash main.sh', timeout: 25, hosts: [host], secrets: { TOKEN: { ...USE, host } } },
  );
  const { status, body, text } = await run(author.api, script);
  expect([status, body.error], text).toEqual([200, null]);
  return body.output;
}

describe('Basic credentials that the gate composes', () => {
  it('let git clone and push, without a credential in its address', async () => {
    refused = 0;
    const said = await output(`
git clone -q https://${host}/private.git /tmp/cloned
cd /tmp/cloned
git -c user.name=B -c user.email=b@example.com commit -q --allow-empty -m pushed
git push -q origin main
git log --format=%s`);
    expect(said).toBe('pushed\nbehind credentials');
    const pushed = execFileSync('git', ['-C', join(directory, 'private.git'), 'log', '-1', '--format=%s']);
    expect([pushed.toString().trim(), refused]).toEqual(['pushed', 0]);
  });

  it('let pip install from a private index', async () => {
    const said = await output(`
python3 -m pip install -q --disable-pip-version-check --no-cache-dir --target /tmp/packages --index-url https://${host}/simple/ housemade >&2
PYTHONPATH=/tmp/packages python3 -c 'import housemade; print(housemade.ANSWER)'`);
    expect(said).toBe(42);
  });

  it('are masked in what comes back, as are the token and what is encoded', async () => {
    const headers = await output(`curl -sS --fail https://${host}/echo`);
    expect(headers.authorization).toBe('Basic ***');
    const mirrored = await output(`curl -sS --fail https://${host}/echo | base64 -w0`);
    expect(JSON.stringify(mirrored)).not.toContain(TOKEN);
  });

  it.each([
    ['Basic {base64:user:{secret}', 'does not end'],
    ['{base64:user} {secret}', 'without {secret}'],
    ['Basic {base64:user}', 'must contain {secret}'],
  ])('are not made of %s', async (value, problem) => {
    const slug = newSlug();
    await author.api.post('/v1/scripts', { slug, name: slug });
    const archive = await archiveOf({ 'main.sh': 'true' });
    const secrets = { TOKEN: { header: 'authorization', value, host } };
    const version = { archive, command: 'bash main.sh', hosts: [host], secrets };
    const answer = await author.api.post(`/v1/scripts/${slug}/versions`, version);
    expect([answer.status, answer.body.error.details[0].path]).toEqual([400, 'secrets.TOKEN.value']);
    expect(answer.body.error.message).toContain(problem);
  });
});

describe('What a script reads in the place of a secret', () => {
  it('has the form of the key, and none of its value', async () => {
    await author.secret('MODEL_KEY', 'sk-ant-api03-real-value-4711', [host]);
    const script = await publishedScript(
      author.api,
      { 'main.sh': 'echo "$MODEL_KEY"' },
      { command: 'bash main.sh', hosts: [host], secrets: { MODEL_KEY: { header: 'x-api-key', host } } },
    );
    const { body } = await run(author.api, script);
    expect(body.output).toMatch(/^sk-ant-attachedbygatehouse[a-z]{82}$/);
  });
});
