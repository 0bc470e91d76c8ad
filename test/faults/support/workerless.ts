import pg from 'pg';

import {
  type Client,
  type GatehouseProcess,
  Seed,
  type TestWorkspace,
  createClient,
} from '../../../libs/testing/index.js';
import { startGatehouse } from '../../support/gatehouse.js';

/** An API whose runs wait until a test starts workers, which it kills one by one. */
export class Workerless {
  private constructor(
    readonly api: GatehouseProcess & { databaseUrl: string },
    readonly pool: pg.Pool,
    readonly workspace: TestWorkspace,
  ) {}

  static async start(): Promise<Workerless> {
    const api = await startGatehouse({
      env: { GATEHOUSE_ROLE: 'api', GATEHOUSE_SIGNUP: 'open', GATEHOUSE_RATE_LIMIT: '0' },
    });
    const pool = new pg.Pool({ connectionString: api.databaseUrl, max: 2 });
    return new Workerless(api, pool, await new Seed(api.baseUrl, pool).workspace());
  }

  get baseUrl(): string {
    return this.api.baseUrl;
  }

  /** As the owner of a workspace; by default that of all tests of a file. */
  as({ owner, slug }: TestWorkspace = this.workspace): Client {
    return createClient({ baseUrl: this.baseUrl, token: owner.token, workspace: slug });
  }

  newWorkspace(): Promise<TestWorkspace> {
    return new Seed(this.baseUrl, this.pool).workspace();
  }

  /** A worker of its own on the same database and data directory. */
  worker(env: Record<string, string> = {}): Promise<GatehouseProcess> {
    return startGatehouse({
      dataDirectory: this.api.dataDirectory,
      env: { GATEHOUSE_ROLE: 'worker', DATABASE_URL: this.api.databaseUrl, ...env },
    });
  }

  async stop(): Promise<void> {
    await this.pool.end();
    await this.api.stop();
  }
}
