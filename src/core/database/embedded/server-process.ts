import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, rename, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Tools } from './cluster.js';
import { confine, explainConfinementFailure } from './confinement.js';
import { type Postmaster, findRunning, untilNoServer } from './postmaster.js';
import { type Endpoint, PG_HBA_CONF, postgresqlConf, socketFits } from './server-settings.js';

const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
/** Replaying what a crash left behind can take long. */
const READY_TIMEOUT_MS = 10 * 60_000;
/** A killed server and its backends, which notice its death and end by themselves, may need a while to be gone. */
const GONE_TIMEOUT_MS = 30_000;
const SAY_EVERY_MS = 30_000;

/**
 * Starts the server of `directory` and returns once it takes connections. It is a session of its own: Ctrl-C in the
 * terminal does not reach it, and it outlives us if we are killed. `previousPort` is tried first where it needs a port.
 */
export async function launch(
  tools: Tools,
  directory: string,
  settings: Record<string, string>,
  { previousPort, log }: { previousPort?: number | undefined; log: (message: string) => void },
): Promise<Postmaster> {
  const deadline = Date.now() + GONE_TIMEOUT_MS;
  let port = previousPort;
  for (;;) {
    const endpoint: Endpoint = socketFits(directory)
      ? { kind: 'socket', directory }
      : { kind: 'tcp', port: port ?? (await freePort()) };
    await untilNoServer(directory, deadline);
    await writeFile(join(directory, 'pg_hba.conf'), PG_HBA_CONF);
    await writeFile(join(directory, 'postgresql.conf'), postgresqlConf(endpoint, settings));
    const output = await attempt(tools, directory, log);
    if (typeof output !== 'string') return output;

    const survivors = /pre-existing shared memory block/.test(output);
    const portTaken = endpoint.kind === 'tcp' && /could not bind/.test(output);
    if (portTaken) port = undefined;
    if (!(survivors || portTaken) || Date.now() > deadline) throw new Error(explain(directory, output));
    await sleep(200);
  }
}

/** The running server, or what a start that failed has printed. */
async function attempt(
  tools: Tools,
  directory: string,
  say: (message: string) => void,
): Promise<Postmaster | string> {
  const logPath = join(directory, 'server.log');
  if (((await stat(logPath).catch(() => null))?.size ?? 0) > LOG_LIMIT_BYTES)
    await rename(logPath, `${logPath}.1`);
  // A file, not a pipe: the server may outlive the reader.
  const log = await open(logPath, 'a+', 0o600);
  try {
    const { size: begin } = await log.stat();
    const command: [string, ...string[]] = [tools.binaries.postgres, '-D', directory];
    const { file, args, env, descriptor3 } = confine(
      tools.confinement,
      command,
      tools.binaries.root,
      directory,
    );
    const stdio = ['ignore', log.fd, log.fd, descriptor3 === null ? 'ignore' : 'pipe'] as const;
    const child = spawn(file, args, { env, cwd: '/', detached: true, stdio: [...stdio] });
    let ended: string | null = null;
    child.once('error', (error) => (ended = `${file}: ${error.message}`));
    child.once('exit', (code, signal) => (ended = `${file} ended (${signal ?? `exit ${code}`})`));
    const passwd = child.stdio[3] as Writable | null;
    passwd?.on('error', () => undefined).end(descriptor3);
    child.unref();

    const began = Date.now();
    for (let said = began; ended === null && Date.now() < began + READY_TIMEOUT_MS; await sleep(15)) {
      const found = await findRunning(directory);
      if (found?.ready) return found;
      if (Date.now() < said + SAY_EVERY_MS) continue;
      said = Date.now();
      say(`The embedded database has been starting for ${Math.round((said - began) / 1000)} s.`);
    }
    const buffer = Buffer.alloc(64 * 1024);
    const { bytesRead } = await log.read(buffer, 0, buffer.length, begin);
    return `${buffer.toString('utf8', 0, bytesRead)}\n${ended ?? 'it was not ready in time'}`;
  } finally {
    await log.close();
  }
}

function explain(directory: string, output: string): string {
  const confinement = explainConfinementFailure(output);
  if (confinement !== null) return confinement;
  const lines = output.trim().split('\n').slice(-6).join('\n  ');
  return `The embedded PostgreSQL in ${directory} did not start:\n  ${lines}\nIts log: ${join(directory, 'server.log')}`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
