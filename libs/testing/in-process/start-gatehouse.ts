import 'reflect-metadata';

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { DynamicModule, INestApplication, Type } from '@nestjs/common';
import pg from 'pg';

import { AppModule } from '../../../src/app.module.js';
import { Settings } from '../../../src/core/config/settings.js';
import { ConnectionOptions } from '../../../src/core/database/connection-options.js';
import { VALUE_TYPES } from '../../../src/core/database/value-types.js';
import { extensionsOf } from '../../../src/core/extensions/load-extensions.js';
import { HttpServer } from '../../../src/core/http/http-server.js';
import { Lifecycle } from '../../../src/core/lifecycle/lifecycle.js';
import { Tracing } from '../../../src/core/tracing/tracing.js';
import { applicationOptions, createApp } from '../../../src/application.js';
import { freePort } from '../gatehouse-process.js';
import { Seed } from '../seed.js';
import { trustTestAuthority } from './https-server.js';
import { isDateMoved } from './moved-date.js';
import { newTestDatabase, type TestDatabase } from './test-database.js';
import type { ProviderOverrides } from './provider-overrides.js';
import { TestGatehouse } from './test-gatehouse.js';

export interface InProcessOptions {
  /** Nest modules, as `GATEHOUSE_EXTENSIONS` would name them. One with settings is given what its function makes. */
  extensions?: readonly (Type | DynamicModule)[];
  /** The slug of the workspace; by default one that no other has. */
  workspace?: string;
  /** Environment variables of the service besides those of the test, such as `GATEHOUSE_PLANS`. */
  env?: Readonly<Record<string, string>>;
  /** Replaces providers, as `@nestjs/testing` does it, which has to be installed. */
  override?: (builder: ProviderOverrides) => ProviderOverrides;
  /** Whether runs are carried out as well, which takes the sandbox. By default they stay queued. */
  runsScripts?: boolean;
}

/**
 * Starts a real Gatehouse in this process, on a port and a database of its own, with a workspace in it.
 *
 * @throws Error as a start would, such as for an extension that cannot be used; and while another service of this process has
 *   its clock moved
 * @example
 * ```ts
 * const gatehouse = await startGatehouse({ extensions: [AcmeModule] });
 * const member = await gatehouse.workspace.person('member');
 * const { status } = await gatehouse.api.as(member).get('/v1/acme');
 * await gatehouse.stop();
 * ```
 */
export async function startGatehouse(options: InProcessOptions = {}): Promise<TestGatehouse> {
  if (isDateMoved()) {
    throw new Error(
      'A service of this process has its clock moved, and Date with it: start this one before, or stop that one.',
    );
  }
  trustTestAuthority();
  const extensions = await extensionsOf(options.extensions ?? []);
  const [database, directory, port] = await Promise.all([
    newTestDatabase(),
    mkdtemp(join(tmpdir(), 'gatehouse-test-')),
    freePort(),
  ]);
  const baseUrl = `http://127.0.0.1:${port}`;
  const settings = new Settings(environmentOf(options, { database, directory, baseUrl, port }));
  const connection = new ConnectionOptions(database.url, settings.databasePool);
  let app: INestApplication | undefined;
  let pool: pg.Pool | undefined;
  const stop = async (): Promise<void> => {
    await app?.close();
    await pool?.end();
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    app = options.override
      ? await createOverridden(
          AppModule.for(settings, connection, { extensions }),
          settings,
          options.override,
        )
      : await createApp(settings, connection, extensions);
    await app.listen(port, '127.0.0.1');
    app.get(Lifecycle).ready = true;
    pool = new pg.Pool({ connectionString: database.url, max: 2, types: VALUE_TYPES });
    // Where the database's server begins again, whoever asks it something learns of that.
    pool.on('error', () => undefined);
    const workspace = await new Seed(baseUrl, pool).workspace(options.workspace);
    return new TestGatehouse(app, baseUrl, workspace, pool, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function createOverridden(
  module: DynamicModule,
  settings: Settings,
  override: NonNullable<InProcessOptions['override']>,
): Promise<INestApplication> {
  const { Test } = await import('@nestjs/testing');
  const builder = Test.createTestingModule({ imports: [module] });
  override(builder);
  const compiled = await builder.compile();
  const app = compiled.createNestApplication(
    new HttpServer(settings),
    applicationOptions(settings, Tracing.OFF),
  );
  return app.init();
}

interface Place {
  database: TestDatabase;
  directory: string;
  baseUrl: string;
  port: number;
}

function environmentOf(
  { env = {}, runsScripts = false }: InProcessOptions,
  { database, directory, baseUrl, port }: Place,
): Record<string, string> {
  return {
    DATABASE_URL: database.url,
    GATEHOUSE_BASE_URL: baseUrl,
    GATEHOUSE_DATA: directory,
    GATEHOUSE_HOST: '127.0.0.1',
    GATEHOUSE_LOG_LEVEL: 'warn',
    GATEHOUSE_MASTER_KEY: randomBytes(32).toString('base64'),
    GATEHOUSE_RATE_LIMIT: '0',
    GATEHOUSE_ROLE: runsScripts ? 'all' : 'api',
    GATEHOUSE_SIGNUP: 'open',
    PORT: String(port),
    ...env,
  };
}
