import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';

import {
  type Answer,
  type Client,
  type GatehouseProcess,
  Seed,
  type TestWorkspace,
  createClient,
  startGatehouse,
} from '../../../libs/testing/index.js';
import { EmbeddedPostgres } from '../../../src/core/database/embedded/embedded-postgres.js';

/** Time-outs of what has to come through in the end, however often it is cut off. */
const PATIENCE_MS = 150_000;

/** A Gatehouse with a database of its own, whose processes can be killed and started again. */
export class House {
  workspace!: TestWorkspace;
  pool!: pg.Pool;
  private readonly processes = new Map<string, GatehouseProcess>();

  private constructor(
    private readonly directory: string,
    private readonly database: EmbeddedPostgres,
    private readonly databaseUrl: string,
    private readonly env: Record<string, string>,
  ) {}

  /** `roles`: one process each. */
  static async start(env: Record<string, string>, roles: readonly string[]): Promise<House> {
    const directory = await mkdtemp(join(tmpdir(), 'gatehouse-faults-'));
    const database = new EmbeddedPostgres({ dataDir: directory });
    const { url } = await database.start();
    const house = new House(directory, database, url, {
      GATEHOUSE_SIGNUP: 'open',
      GATEHOUSE_RATE_LIMIT: '0',
      ...env,
    });
    for (const role of roles) await house.begin(role);
    house.pool = new pg.Pool({ connectionString: url, max: 2 });
    house.pool.on('error', () => undefined);
    house.workspace = await new Seed(house.baseUrl, house.pool).workspace();
    return house;
  }

  get baseUrl(): string {
    return (this.processes.get('all') ?? this.processes.get('api'))!.baseUrl;
  }

  get api(): Client {
    const { owner, slug } = this.workspace;
    return createClient({ baseUrl: this.baseUrl, token: owner.token, workspace: slug });
  }

  /** Ends a process at once, at a moment that nobody chose, and starts another in its place. */
  async kill(role: string): Promise<void> {
    await sleep(randomInt(200, 1500));
    await this.processes.get(role)!.kill();
    await this.begin(role);
  }

  async restartDatabase(): Promise<void> {
    await sleep(randomInt(200, 1500));
    await this.database.stop();
    await this.database.start();
  }

  /** Sends a request under one idempotency key until it gets a response, through everything that happens meanwhile. */
  async insist(send: (api: Client) => Promise<Answer>): Promise<Answer> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const answer = await send(this.api).catch(() => null);
      if (answer && answer.status < 500 && answer.status !== 409) return answer;
      if (Date.now() > deadline) throw new Error(`Never answered: ${answer?.text ?? 'no connection'}`);
      await sleep(100);
    }
  }

  async stop(): Promise<void> {
    await this.pool?.end();
    for (const process of this.processes.values()) await process.stop();
    await this.database.stop();
    await rm(this.directory, { recursive: true, force: true });
  }

  private async begin(role: string): Promise<void> {
    const env = { ...this.env, DATABASE_URL: this.databaseUrl, GATEHOUSE_ROLE: role };
    this.processes.set(role, await startGatehouse({ dataDirectory: join(this.directory, 'gatehouse'), env }));
  }
}
