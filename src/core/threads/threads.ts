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
  /** Whose work it is, usually a workspace's id: those whom they count for take turns. */
  owner: string;
  /** So long it may take once it has begun. */
  limitMs: number;
  /** So long it may wait for a thread. */
  patienceMs: number;
  /** So much of whom it counts for may wait already. Infinity: something else bounds it, its bytes as well. */
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
/** Of these, for one owner. */
const MOST_BYTES_OF_ONE = MOST_WAITING_BYTES / 2;
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
  /** By whom they count for. */
  private readonly waitingBytes = new Map<string, number>();
  private ownerOf = (id: string): Promise<string> => Promise.resolve(id);

  constructor({ threads = MOST_THREADS, heapMb = HEAP_MB }: ThreadsOptions = {}) {
    this.most = threads;
    this.heapMb = heapMb;
    this.semaphore = new FairSemaphore({ permits: threads });
  }

  /** Has work count for somebody else than it names: that of a workspace for its owner. */
  countBy(ownerOf: (id: string) => Promise<string>): void {
    this.ownerOf = ownerOf;
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
  private async turn({ owner: id, bytes, patienceMs, mostWaiting }: ThreadWork): Promise<void> {
    const owner = await this.ownerOf(id);
    const counted = mostWaiting === Infinity ? 0 : bytes;
    if (this.semaphore.free === 0 && !this.hasRoom(owner, counted)) throw new ThreadsBusy();
    this.addBytes(owner, counted);
    try {
      await this.semaphore.acquire(owner, { patienceMs, mostOfOwner: mostWaiting });
    } catch (error) {
      throw error instanceof SemaphoreBusy ? new ThreadsBusy() : error;
    } finally {
      this.addBytes(owner, -counted);
    }
  }

  private hasRoom(owner: string, bytes: number): boolean {
    const all = [...this.waitingBytes.values()].reduce((sum, each) => sum + each, bytes);
    return all <= MOST_WAITING_BYTES && (this.waitingBytes.get(owner) ?? 0) + bytes <= MOST_BYTES_OF_ONE;
  }

  private addBytes(owner: string, bytes: number): void {
    const left = (this.waitingBytes.get(owner) ?? 0) + bytes;
    if (left > 0) this.waitingBytes.set(owner, left);
    else this.waitingBytes.delete(owner);
  }
}
