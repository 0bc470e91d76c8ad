import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

import type { NestExpressApplication } from '@nestjs/platform-express';

import { SandboxUnavailable } from '../libs/sandbox/index.js';
import { logFormat } from './core/config/log-format.js';
import { InvalidSettings } from './core/config/settings-reader.js';
import { Settings } from './core/config/settings.js';
import { checkDatabase, placeOfDatabase, problemOfStart } from './core/database/check-database.js';
import { ConnectionOptions } from './core/database/connection-options.js';
import { EmbeddedPostgres } from './core/database/embedded/embedded-postgres.js';
import { assertWritable } from './core/disk/writable.js';
import { ExtensionProblem } from './core/extensions/extension-problem.js';
import { loadExtensions } from './core/extensions/load-extensions.js';
import { Lifecycle } from './core/lifecycle/lifecycle.js';
import { ServerUnusable } from './core/lifecycle/server-unusable.js';
import { endWhenStalled } from './core/lifecycle/stall-watchdog.js';
import { untilUsable } from './core/lifecycle/until-usable.js';
import { printJsonLines } from './core/logging/console-lines.js';
import { checkRedis, placeOfRedis } from './core/queue/check-redis.js';

/** Of a process that an error has ended. With it, whoever started the process starts it again; a start that was refused has 1. */
const FAILED = 70;

const HELD =
  '. It is a restored copy and begins nothing by itself, neither schedules nor webhooks, until `npm run admin -- resume`.';

/** Starts a process in its role and keeps it until a signal ends it. */
export async function start(environment: NodeJS.ProcessEnv): Promise<void> {
  // Boxes read what their runs are given as another user. What nobody else should read has a mode that says so.
  process.umask(0o022);
  if (logFormat(environment) === 'json') printJsonLines();
  endOnError();
  endWithParent();
  let embedded: EmbeddedPostgres | null = null;
  try {
    const settings = new Settings(environment);
    const extensions = await loadExtensions(settings, environment);
    if (keepsData(settings)) await assertWritable(settings.dataDirectory);
    await serversAreUsable(settings);
    embedded = ownDatabase(settings);
    // The database starts while the program is read.
    const [connection, { createApp, FirstRunService, HeldCopy }] = await Promise.all([
      connect(settings, embedded),
      import('./application.js'),
    ]);
    const app = await createApp(settings, connection, extensions).catch((error: unknown) => {
      throw settings.databaseUrl === null ? error : problemOfStart(error, settings.databaseUrl);
    });
    stopOnSignal(app, embedded);
    if (settings.servesApi) {
      await listen(app, 'PORT', settings.port, settings.host);
      await app.get(FirstRunService).ensure();
    } else if (settings.workerPort > 0) {
      await listen(app, 'GATEHOUSE_WORKER_PORT', settings.workerPort, settings.host);
    }
    app.get(Lifecycle).ready = true;
    endWhenStalled();
    const held = app.get(HeldCopy).isHeld ? HELD : '';
    console.log(`${readyLine(settings, app)}${held}`);
  } catch (error) {
    await embedded?.stop();
    console.error(error instanceof Error && isForTheOperator(error) ? error.message : error);
    process.exit(1);
  }
}

/** A worker has the base address of others in its links, and answers elsewhere if at all. */
function readyLine({ servesApi, baseUrl, workerPort }: Settings, app: NestExpressApplication): string {
  if (servesApi) return `Gatehouse is ready: ${baseUrl}`;
  if (workerPort === 0) return 'The worker is ready. It listens nowhere: GATEHOUSE_WORKER_PORT is not set.';
  const { port } = app.getHttpServer().address() as AddressInfo;
  return `The worker is ready: health and metrics are on port ${port}.`;
}

/** Ends in order what was begun where the port cannot be had, before the database goes. Nest's own `listen` would log that too. */
async function listen(
  app: NestExpressApplication,
  variable: string,
  port: number,
  host: string,
): Promise<void> {
  try {
    await once((app.getHttpServer() as Server).listen(port, host), 'listening');
  } catch (error) {
    await app.close();
    throw new Error(whyNotListening(error as NodeJS.ErrnoException, { variable, port, host }));
  }
}

function whyNotListening(
  { code, message }: NodeJS.ErrnoException,
  { variable, port, host }: { variable: string; port: number; host: string },
): string {
  if (code === 'EADDRINUSE') {
    return `Another program listens on port ${port}. Stop it, or set ${variable} to another one.`;
  }
  if (code === 'EACCES') {
    return `This user may not listen on port ${port}. Set ${variable} to one above 1023, behind a proxy if need be.`;
  }
  return `It cannot listen on ${host} (GATEHOUSE_HOST), port ${port} (${variable}): ${message}.`;
}

/** Errors that say what to do need no stack. */
function isForTheOperator(error: Error): boolean {
  return (
    error instanceof ExtensionProblem ||
    error instanceof InvalidSettings ||
    error instanceof SandboxUnavailable ||
    error instanceof ServerUnusable ||
    error.constructor === Error
  );
}

/** One that has all elsewhere, with its key, may have a directory that it only reads. */
function keepsData({ databaseUrl, masterKey, runsScripts }: Settings): boolean {
  return databaseUrl === null || masterKey === null || runsScripts;
}

/** Those of the operator's own; the embedded database is our own affair. */
async function serversAreUsable({ databaseUrl, redisUrl, startWaitSeconds }: Settings): Promise<void> {
  if (databaseUrl !== null) {
    await untilUsable(placeOfDatabase(databaseUrl), () => checkDatabase(databaseUrl), startWaitSeconds);
  }
  if (redisUrl !== null) {
    await untilUsable(placeOfRedis(redisUrl), () => checkRedis(redisUrl), startWaitSeconds);
  }
}

function ownDatabase(settings: Settings): EmbeddedPostgres | null {
  if (settings.databaseUrl || settings.role === 'worker') return null;
  return new EmbeddedPostgres({ dataDir: settings.dataDirectory, log: (message) => console.log(message) });
}

async function connect(settings: Settings, embedded: EmbeddedPostgres | null): Promise<ConnectionOptions> {
  const url =
    settings.databaseUrl ??
    (embedded ? (await embedded.start()).url : await EmbeddedPostgres.runningUrl(settings.dataDirectory));
  if (url === null) {
    throw new Error(
      'A worker of its own needs the database of the others: set DATABASE_URL, or GATEHOUSE_DATA to the data directory of a Gatehouse that runs on this machine.',
    );
  }
  return new ConnectionOptions(url, settings.databasePool, () => embedded?.problem ?? null);
}

function endOnError(): void {
  process.on('uncaughtException', (error) => {
    console.error('Gatehouse ends because of an error that nothing has handled:', error);
    process.exit(FAILED);
  });
}

/** `npm start` starts us from a process that we have a channel to. If it is killed, this is as if it had sent us a signal. */
function endWithParent(): void {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
}

/** First signal: finish in order. Second: do not wait for scripts. Third: go. */
function stopOnSignal(app: NestExpressApplication, embedded: EmbeddedPostgres | null): void {
  let signals = 0;
  const stop = async (): Promise<void> => {
    try {
      await app.close();
      await embedded?.stop();
      process.exit(0);
    } catch (error) {
      console.error(error);
      process.exit(1);
    }
  };
  const onSignal = (): void => {
    signals += 1;
    if (signals === 1) void stop();
    else if (signals === 2) app.get(Lifecycle).stopWaiting();
    else process.exit(1);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  // The terminal was closed.
  process.on('SIGHUP', onSignal);
}
