import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Piscina } from 'piscina';

import { FairSemaphore, SemaphoreBusy } from '../semaphore/index.js';
import { ThreadsBusy, WorkTooHeavy } from './threads.errors.js';

/** What is to be done beside the event loop: a function exported by a module, and its argument. */
export interface ThreadWork {
  module: URL;
  name: string;
  /** Cloned for the thread. Texts are cheap, objects are not. */
  input: unknown;
  /** About the memory that it takes while it waits. */
  bytes: number;
  /** Whose work it is, usually a workspace's id: owners take turns. */
  owner: string;
  /** So long it may take once it has begun. */
  limitMs: number;
  /** So long it may wait for a thread. */
  patienceMs: number;
  /** So much of this owner may wait already. */
  mostWaiting?: number;
}

interface ThreadsOptions {
  threads?: number;
  heapMb?: number;
}

/** One processor is left to the event loop, where there are several. */
const MOST_THREADS = Math.max(1, Math.min(4, availableParallelism() - 1));
/** What 1 MiB of JSON becomes many times over. */
const HEAP_MB = 192;
const MOST_WAITING_BYTES = 64 * 1024 * 1024;
/** A thread that nobody needs gives its memory back. */
const IDLE_MS = 120_000;
/** A lower priority than the event loop's (nice): a busy thread takes no time that requests need. */
const NICE = 5;

/**
 * Work that a stranger's input could make long or large, in threads of their own with a limited heap. A thread whose work
 * takes too long is ended and replaced; one that runs out of memory ends by itself.
 */
@Injectable()
export class Threads implements OnApplicationShutdown {
  private readonly semaphore: FairSemaphore;
  /** Loaded with the first work: a start does without. */
  private pool: Promise<Piscina> | null = null;
  private readonly most: number;
  private readonly heapMb: number;
  private waitingBytes = 0;

  constructor({ threads = MOST_THREADS, heapMb = HEAP_MB }: ThreadsOptions = {}) {
    this.most = threads;
    this.heapMb = heapMb;
    this.semaphore = new FairSemaphore({ permits: threads });
  }

  /** @throws WorkTooHeavy, ThreadsBusy, or what the function throws */
  async run<T>(work: ThreadWork): Promise<T> {
    await this.turn(work);
    try {
      return await this.within<T>(await (this.pool ??= this.open()), work);
    } finally {
      this.semaphore.release();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await (await this.pool)?.destroy();
  }

  private async open(): Promise<Piscina> {
    const { Piscina } = await import('piscina');
    const pool = new Piscina({
      minThreads: 0,
      maxThreads: this.most,
      idleTimeout: IDLE_MS,
      niceIncrement: NICE,
      resourceLimits: { maxOldGenerationSizeMb: this.heapMb, maxYoungGenerationSizeMb: 32 },
      execArgv: [],
    });
    // A thread that ends without work has harmed nobody; the next work gets a new one.
    pool.on('error', () => undefined);
    return pool;
  }

  private async within<T>(pool: Piscina, work: ThreadWork): Promise<T> {
    const limit = AbortSignal.timeout(work.limitMs);
    try {
      const filename = fileURLToPath(work.module);
      return (await pool.run(work.input, { filename, name: work.name, signal: limit })) as T;
    } catch (error) {
      if (limit.aborted) throw new WorkTooHeavy('time');
      if ((error as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY') {
        throw new WorkTooHeavy('memory');
      }
      throw error;
    }
  }

  /** Waits until a thread is free for it, and takes it. */
  private async turn({ owner, bytes, patienceMs, mostWaiting }: ThreadWork): Promise<void> {
    if (this.semaphore.free === 0 && this.waitingBytes + bytes > MOST_WAITING_BYTES) throw new ThreadsBusy();
    this.waitingBytes += bytes;
    try {
      await this.semaphore.acquire(owner, { patienceMs, mostOfOwner: mostWaiting });
    } catch (error) {
      throw error instanceof SemaphoreBusy ? new ThreadsBusy() : error;
    } finally {
      this.waitingBytes -= bytes;
    }
  }
}
