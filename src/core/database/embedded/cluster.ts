import { spawn } from 'node:child_process';
import { mkdir, readFile, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';

import { type Confinement, confine, explainConfinementFailure } from './confinement.js';
import { syncDirectory } from './durable-file.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import { DATABASE, PG_HBA_CONF, ROLE } from './server-settings.js';

const MAJOR = '18';
const INCOMPLETE = 'postgres.incomplete-';

export interface Tools {
  binaries: PostgresBinaries;
  confinement: Confinement;
}

/** True if there is a database in `directory` that this PostgreSQL can run; throws if there is something else. */
export async function isCluster(directory: string): Promise<boolean> {
  const found = await stat(directory).catch(ignoreMissing);
  if (!found) return false;
  const uid = process.getuid!();
  if (found.uid !== uid) {
    throw new Error(
      `The database in ${directory} belongs to user ${found.uid}, and this process is user ${uid}. ` +
        `Start Gatehouse as that user, or hand it over: chown -R ${uid} '${dirname(directory)}'`,
    );
  }
  const version = (await readFile(join(directory, 'PG_VERSION'), 'utf8').catch(ignoreMissing))?.trim();
  if (version === MAJOR) return true;
  if (version !== undefined) {
    throw new Error(
      `The database in ${directory} was made by PostgreSQL ${version}; this Gatehouse comes with PostgreSQL ${MAJOR}. ` +
        'Dump it with the old version and load it into the new one.',
    );
  }
  if ((await readdir(directory)).length > 0) {
    throw new Error(`${directory} is not a PostgreSQL data directory. Move it away, or set GATEHOUSE_DATA.`);
  }
  await rmdir(directory);
  return false;
}

/** Makes the database in full beside `directory` and then renames it: there is never half of one. */
export async function createCluster(tools: Tools, directory: string, password: string): Promise<void> {
  const parent = dirname(directory);
  for (const name of await readdir(parent)) {
    // A program of an earlier attempt may still be writing there; then the next start clears it.
    if (name.startsWith(INCOMPLETE)) await rm(join(parent, name), { recursive: true }).catch(() => undefined);
  }
  const draft = join(parent, `${INCOMPLETE}${process.pid}-${Date.now()}`);
  await mkdir(draft, { mode: 0o700 });
  try {
    const initdb = [
      ...['-D', draft, '--username=postgres', '--encoding=UTF8', '--locale=C'],
      ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--text-search-config=simple'],
      ...['--auth=reject', '--no-instructions'],
    ];
    await runTool(tools, [tools.binaries.initdb, ...initdb, '--no-sync'], draft);
    await writeFile(join(draft, 'pg_hba.conf'), PG_HBA_CONF);
    await runStatements(tools, draft, [
      `CREATE ROLE ${ROLE} LOGIN CREATEDB PASSWORD '${password}'`,
      `CREATE DATABASE ${DATABASE} OWNER ${ROLE}`,
    ]);
    await runTool(tools, [tools.binaries.initdb, '-D', draft, '--sync-only'], draft);
    await rename(draft, directory);
    await syncDirectory(parent);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** For a database whose password was lost. The server must not run. */
export async function resetPassword(tools: Tools, directory: string, password: string): Promise<void> {
  await runStatements(tools, directory, [`ALTER ROLE ${ROLE} PASSWORD '${password}'`]);
  await runTool(tools, [tools.binaries.initdb, '-D', directory, '--sync-only'], directory);
}

/** Single-user mode: no connection, so neither a password nor a trusted way in is needed. One line per statement. */
async function runStatements(tools: Tools, directory: string, statements: string[]): Promise<void> {
  const command = [
    ...[
      '--single',
      '-F',
      '-D',
      directory,
      '-c',
      'log_min_error_statement=panic',
      '-c',
      'log_checkpoints=off',
    ],
    ...['-c', 'scram_iterations=1', 'postgres'],
  ];
  const output = await runTool(
    tools,
    [tools.binaries.postgres, ...command],
    directory,
    statements.map((statement) => `${statement}\n`).join(''),
  );
  const failure = /^.*(?:ERROR|FATAL|PANIC):.*$/m.exec(output);
  if (failure) throw new Error(`PostgreSQL could not prepare ${directory}: ${failure[0]}`);
}

/** Output of a program that must succeed. */
function runTool(
  tools: Tools,
  command: [string, ...string[]],
  directory: string,
  input = '',
): Promise<string> {
  const { file, args, env, descriptor3 } = confine(
    tools.confinement,
    command,
    tools.binaries.root,
    directory,
  );
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { env, cwd: '/', stdio: ['pipe', 'pipe', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer) => (output += chunk.toString());
    child.stdout!.on('data', collect);
    child.stderr!.on('data', collect);
    for (const [stream, text] of [
      [child.stdin!, input],
      [child.stdio[3] as Writable, descriptor3 ?? ''],
    ] as const) {
      // The program may end without having read it; its exit code tells.
      stream.on('error', () => undefined);
      stream.end(text);
    }
    child.on('error', (error) => reject(new Error(`${file} could not be started: ${error.message}`)));
    child.on('close', (code, signal) => {
      if (code === 0) return resolve(output);
      const reason = explainConfinementFailure(output) ?? output.trim().split('\n').slice(-5).join('\n');
      reject(
        new Error(
          `Preparing the embedded database in ${directory} failed (${signal ?? `exit ${code}`}): ${reason}`,
        ),
      );
    });
  });
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}
