import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { TestProject } from 'vitest/node';

import { startGatehouse } from '../../libs/testing/index.js';
import { EmbeddedPostgres } from '../../src/core/database/embedded/embedded-postgres.js';
import { checkAuditDetails } from './audit-check.js';
import { checkEvents } from './event-check.js';
import { copyOfFirstStart, makeFirstStart } from './first-start.js';
import { SharedGateOffer } from './shared-gate.js';
import { testFilesOfWorkspaces } from './workspace-files.js';

declare module 'vitest' {
  interface ProvidedContext {
    baseUrl: string;
    databaseUrl: string;
    dataDirectory: string;
    /** The data directory that a first start has left. */
    firstStart: string;
    /** Where tests ask for the service whose gate they share. */
    sharedGate: string;
    /** A file with a line for each workspace of a test: its id, and the path of the test file. */
    workspaceFiles: string;
  }
}

/** One real database and one real service for all tests of a run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-suite-'));
  // Thrown away afterwards, so it need not survive a power cut.
  const database = new EmbeddedPostgres({
    dataDir: directory,
    settings: {
      ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
      // With a hundred databases, a worker of it would begin each second.
      autovacuum_naptime: '10min',
    },
  });
  const workspaceFiles = `${directory}.workspaces`;
  const stopDatabase = async (): Promise<void> => {
    await database.stop();
    await rm(workspaceFiles, { force: true });
    await rm(directory, { recursive: true, force: true });
  };
  const { url } = await database.start();
  let firstStart: string | undefined;
  const removeFirstStart = async (): Promise<void> => {
    if (firstStart !== undefined) await rm(firstStart, { recursive: true, force: true });
  };
  try {
    firstStart = await makeFirstStart(url);
    const databaseUrl = await copyOfFirstStart(url, 'suite');
    const gatehouse = await startGatehouse({
      copyOf: firstStart,
      env: {
        DATABASE_URL: databaseUrl,
        GATEHOUSE_SIGNUP: 'open',
        GATEHOUSE_KEPT_MEMORY: '1024',
        GATEHOUSE_RATE_LIMIT: '10000000',
        GATEHOUSE_RATE_BURST: '1000000',
        // Lets each client of the tests have an address of its own, so that failures of one do not limit another.
        GATEHOUSE_TRUST_PROXY: '127.0.0.1',
      },
    });
    const gate = new SharedGateOffer(firstStart, () => copyOfFirstStart(url, 'shared_gate'));
    project.provide('sharedGate', await gate.open());
    await writeFile(workspaceFiles, '');
    project.provide('workspaceFiles', workspaceFiles);
    project.provide('baseUrl', gatehouse.baseUrl);
    project.provide('databaseUrl', databaseUrl);
    project.provide('dataDirectory', gatehouse.dataDirectory);
    project.provide('firstStart', firstStart);
    return async () => {
      try {
        const files = await testFilesOfWorkspaces(workspaceFiles);
        const problems = [
          ...(await checkEvents(gatehouse.baseUrl, databaseUrl, files)),
          ...(await checkAuditDetails(databaseUrl, files)),
        ];
        if (problems.length > 0) await failRun(problems);
      } finally {
        await gate.close();
        await gatehouse.stop();
        await removeFirstStart();
        await stopDatabase();
      }
    };
  } catch (error) {
    await removeFirstStart();
    await stopDatabase();
    throw error;
  }
}

/** Vitest reports an error after the last test, and ends as if there were none. */
async function failRun(problems: string[]): Promise<never> {
  process.exitCode = 1;
  const path = process.env['GATEHOUSE_TEST_PROBLEMS'];
  if (path !== undefined) await writeFile(path, JSON.stringify(problems));
  throw new Error(
    `What the tests have left is not in order:\n${problems.map((line) => `  ${line}`).join('\n')}`,
  );
}
