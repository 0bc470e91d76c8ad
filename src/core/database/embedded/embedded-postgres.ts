import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';

import { createCluster, isCluster, resetPassword, type Tools } from './cluster.js';
import { chooseConfinement } from './confinement.js';
import { Credentials } from './credentials.js';
import { DataLock } from './data-lock.js';
import { findPostgresBinaries } from './postgres-binaries.js';
import { findRunning, isPostmasterOf, runsDeletedProgram, shutDown, untilNoServer } from './postmaster.js';
import { launch } from './server-process.js';
import { type Endpoint, urlOf } from './server-settings.js';

const WATCH_INTERVAL_MS = 1_000;
/** Before it is tried again to start a server that did not start: longer each time. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
/** How often a server may end while it is begun with. */
const STARTS = 5;
const ANSWER_TIMEOUT_MS = 60_000;

interface EmbeddedPostgresOptions {
  /** Made if missing. The database is its sub-directory `postgres`. */
  dataDir: string;
  /** Server settings that override ours, such as `{ fsync: 'off' }` for a database that is thrown away. */
  settings?: Record<string, string>;
  /** What an operator should know, such as that the server had to be started again. */
  log?: (message: string) => void;
}

/**
 * A real PostgreSQL that belongs to this process. It is made on first use, found again after a crash of ours, started
 * again after one of its own, and stopped with us. The server of a killed process runs on, and the next `start` takes
 * it over.
 */
export class EmbeddedPostgres {
  private readonly settings: Record<string, string>;
  private readonly log: (message: string) => void;
  private lock: DataLock | null = null;
  private watch: NodeJS.Timeout | null = null;
  private recovery: Promise<void> = Promise.resolve();
  private stopping = false;
  private restarts = 0;
  private tools!: Tools;
  private directory!: string;
  private running!: { pid: number; endpoint: Endpoint };

  constructor(private readonly options: EmbeddedPostgresOptions) {
    this.settings = options.settings ?? {};
    this.log = options.log ?? (() => undefined);
  }

  /** The address of a server that already runs on `dataDir`, for a second process beside Gatehouse; null if none does. */
  static async runningUrl(dataDir: string): Promise<string | null> {
    const credentials = await Credentials.load(dataDir);
    if (!credentials) return null;
    const found = await findRunning(join(realpathSync(dataDir), 'postgres'));
    return found && urlOf(found.endpoint, credentials.password);
  }

  /** Rejects, leaving nothing behind, where another living process holds the directory or the server cannot run. */
  async start(): Promise<{ url: string }> {
    mkdirSync(this.options.dataDir, { recursive: true, mode: 0o700 });
    const dataDir = realpathSync(this.options.dataDir);
    this.directory = join(dataDir, 'postgres');
    this.lock = DataLock.acquire(
      dataDir,
      (holder) =>
        `Gatehouse already runs on ${dataDir}${holder}. Stop it first, or set GATEHOUSE_DATA to another directory.`,
    );
    this.stopping = false;
    try {
      const binaries = findPostgresBinaries();
      this.tools = { binaries, confinement: chooseConfinement([binaries.root, dataDir]) };
      const credentials = (await Credentials.load(dataDir)) ?? Credentials.create(dataDir);
      await this.prepare(credentials);
      const url = await this.open(credentials);
      await credentials.save(this.running.endpoint);
      this.watch = setInterval(() => this.lookAfter(), WATCH_INTERVAL_MS).unref();
      return { url };
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** What is wrong with the server just now, for whoever asks whether all is well; null: nothing that is known. */
  get problem(): string | null {
    return this.restarts === 0
      ? null
      : `The embedded database ended and is being started again (attempt ${this.restarts}).`;
  }

  /** Ends the server in order, also one that was taken over, and frees the directory. */
  async stop(): Promise<void> {
    this.stopping = true;
    if (this.watch) clearInterval(this.watch);
    this.watch = null;
    await this.recovery;
    if (!this.lock) return;
    try {
      const found = await findRunning(this.directory);
      if (found) await shutDown(this.directory, found.pid);
    } finally {
      this.lock.release();
      this.lock = null;
    }
  }

  private async prepare(credentials: Credentials): Promise<void> {
    const exists = await isCluster(this.directory);
    if (exists && !credentials.fresh) return;
    if (!exists) {
      // First the password, then the database that has it: a crash in between is made good by the next start.
      await credentials.save();
      return createCluster(this.tools, this.directory, credentials.password);
    }
    this.log('The password of the embedded database was lost; setting a new one.');
    const found = await findRunning(this.directory);
    if (found) await shutDown(this.directory, found.pid);
    await untilNoServer(this.directory, Date.now());
    await resetPassword(this.tools, this.directory, credentials.password);
    await credentials.save();
  }

  /** A server that accepts connections: the one that was left running or a new one, and another where that is killed meanwhile. */
  private async open(credentials: Credentials): Promise<string> {
    for (let start = 1; ; start++) {
      this.running = (await this.adopt(credentials)) ?? (await this.launch());
      const url = urlOf(this.running.endpoint, credentials.password);
      try {
        await accepts(url);
        return url;
      } catch (error) {
        if (start === STARTS || isPostmasterOf(this.directory, this.running.pid)) throw error;
      }
    }
  }

  /** A server that an earlier process left running, if it is of use. */
  private async adopt(credentials: Credentials): Promise<{ pid: number; endpoint: Endpoint } | null> {
    const found = await findRunning(this.directory);
    if (!found) return null;
    try {
      if (runsDeletedProgram(found.pid)) throw new Error('its program was replaced');
      await accepts(urlOf(found.endpoint, credentials.password));
      this.log(`Going on with the embedded database that was left running (process ${found.pid}).`);
      return found;
    } catch (error) {
      this.log(`Stopping the embedded database that was left running: ${(error as Error).message}`);
      await shutDown(this.directory, found.pid);
      return null;
    }
  }

  private launch(): Promise<{ pid: number; endpoint: Endpoint }> {
    const previous = this.running?.endpoint;
    return launch(this.tools, this.directory, this.settings, {
      previousPort: previous?.kind === 'tcp' ? previous.port : undefined,
      log: this.log,
    });
  }

  private lookAfter(): void {
    if (this.stopping || isPostmasterOf(this.directory, this.running.pid)) return;
    if (this.watch) clearInterval(this.watch);
    this.recovery = this.restart();
  }

  /** Tried for as long as this process lives: without its database it is of no use, and nobody else may start it. */
  private async restart(): Promise<void> {
    this.log('The embedded database ended unexpectedly; starting it again.');
    for (let pauseMs = FIRST_RETRY_MS; !this.stopping; pauseMs = Math.min(pauseMs * 2, LONGEST_RETRY_MS)) {
      this.restarts += 1;
      try {
        this.running = await this.launch();
        if (!this.stopping) this.watch = setInterval(() => this.lookAfter(), WATCH_INTERVAL_MS).unref();
        if (this.restarts > 1) this.log(`The embedded database runs again, at attempt ${this.restarts}.`);
        this.restarts = 0;
        return;
      } catch (error) {
        this.log(
          `${(error as Error).message}\nAttempt ${this.restarts} to start it; trying again in ${pauseMs / 1000} s.`,
        );
        for (let waited = 0; waited < pauseMs && !this.stopping; waited += 100) await sleep(100);
      }
    }
  }
}

/** Waits for a connection: a server that recovers from a crash refuses connections for a while. */
async function accepts(url: string): Promise<void> {
  const deadline = Date.now() + ANSWER_TIMEOUT_MS;
  for (;;) {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
    });
    // A connection that breaks is reported by the query as well.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('SELECT 1');
      return;
    } catch (error) {
      const startingUp = (error as { code?: string }).code === '57P03';
      if (!startingUp || Date.now() > deadline) throw error;
      await sleep(50);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
