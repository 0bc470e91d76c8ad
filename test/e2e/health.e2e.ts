import { rename } from 'node:fs/promises';
import { type Server, type Socket, connect, createServer } from 'node:net';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Answer, type GatehouseProcess, createClient, freePort } from '../../libs/testing/index.js';
import { client, localClient, newDatabase, startGatehouse } from '../support/gatehouse.js';

describe('GET /health/live', () => {
  it('is 200 to anybody', async () => {
    const answer = await client().get('/health/live');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ status: 'live' });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});

describe('GET /health/ready', () => {
  it('names what works', async () => {
    const answer = await client().get('/health/ready');
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      status: 'ready',
      checks: { database: 'ok', queue: 'ok', storage: 'ok' },
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});

describe('GET /metrics', () => {
  it('shows the process and how long requests took, by route and class of status', async () => {
    await client().get('/v1/workspace/environments/some-id');
    await client().get('/nowhere/secret-path?token=secret-query');
    const { status, headers, text } = await localClient().get('/metrics');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=/);
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(text).toMatch(
      /^http_request_duration_seconds_count\{method="GET",route="\/v1\/workspace\/environments\/:idOrName",status="4xx"\} \d+$/m,
    );
    expect(text).toMatch(
      /^http_request_duration_seconds_bucket\{le="0\.1",method="GET",route="unknown",status="4xx"\} \d+$/m,
    );
    expect(text).not.toContain('some-id');
    expect(text).not.toContain('secret-path');
    expect(text).not.toContain('secret-query');
  });
});

describe('a service whose parts go away and come back', () => {
  let line: BreakableLine;
  let gatehouse: GatehouseProcess;

  beforeAll(async () => {
    line = await BreakableLine.to(new URL(await newDatabase()));
    gatehouse = await startGatehouse({ env: { DATABASE_URL: line.url } });
  });

  afterAll(async () => {
    await line?.mend();
    await gatehouse?.stop();
    await line?.close();
  });

  const get = (path: string): Promise<Answer> => createClient({ baseUrl: gatehouse.baseUrl }).get(path);

  /** Results are kept for a second, and a broken one may take longer to be found out. */
  async function readiness(status: number): Promise<Answer> {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const answer = await get('/health/ready');
      if (answer.status === status || Date.now() > deadline) return answer;
      await new Promise((done) => setTimeout(done, 100));
    }
  }

  it('is alive but not ready without the database, and ready again with it', async () => {
    await line.cut();
    const away = await readiness(503);
    expect(away.status).toBe(503);
    expect(away.body.error).toMatchObject({
      code: 'unavailable',
      requestId: away.headers.get('x-request-id'),
    });
    expect(away.body.error.details.map(({ path }: { path: string }) => path)).toContain('database');
    expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(away.text).not.toMatch(/127\.0\.0\.1:\d+.*ECONN|ECONN|password|gatehouse:/);
    expect((await get('/health/live')).status).toBe(200);

    const refused = await createClient({ baseUrl: gatehouse.baseUrl, token: `svc_sk_${'0'.repeat(43)}` }).get(
      '/v1/workspace',
    );
    expect([401, 503]).toContain(refused.status);

    await line.mend();
    expect((await readiness(200)).body).toMatchObject({
      status: 'ready',
      checks: { database: 'ok', queue: 'ok' },
    });
  });

  it('is not ready without the place for files, and does not tell where that is', async () => {
    const files = join(gatehouse.dataDirectory, 'files');
    await rename(files, `${files}-gone`);
    const away = await readiness(503);
    expect(away.body.error.details.map(({ path }: { path: string }) => path)).toEqual(['storage']);
    expect(away.text).not.toContain(gatehouse.dataDirectory);
    await rename(`${files}-gone`, files);
    expect((await readiness(200)).status).toBe(200);
  });
});

/** A connection to the database that can be cut, as when a network or a server fails. */
class BreakableLine {
  private readonly open = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
    private readonly port: number,
  ) {
    server.on('connection', (socket) => {
      this.open.add(socket);
      socket.on('close', () => this.open.delete(socket));
    });
  }

  static async to(target: URL): Promise<BreakableLine> {
    const socketDirectory = target.searchParams.get('host');
    const port = target.port || '5432';
    const server = createServer((near) => {
      const far = socketDirectory
        ? connect(join(socketDirectory, `.s.PGSQL.${port}`))
        : connect(Number(port), target.hostname);
      near.pipe(far).pipe(near);
      near.on('error', () => far.destroy());
      near.on('close', () => far.destroy());
      far.on('error', () => near.destroy());
    });
    const own = await freePort();
    await new Promise<void>((done) => server.listen(own, '127.0.0.1', done));
    const url = new URL(target);
    url.hostname = '127.0.0.1';
    url.port = String(own);
    url.searchParams.delete('host');
    return new BreakableLine(server, url.toString(), own);
  }

  async cut(): Promise<void> {
    await this.close();
  }

  async mend(): Promise<void> {
    if (!this.server.listening)
      await new Promise<void>((done) => this.server.listen(this.port, '127.0.0.1', done));
  }

  async close(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    if (this.server.listening) await new Promise((done) => this.server.close(done));
  }
}
