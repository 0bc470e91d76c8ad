import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Queue } from 'bullmq';

import { InstanceHeartbeat } from './instance-heartbeat.js';

/** At most this many wakes of one process wait in a queue; more would tell nobody anything new. */
const MOST_WAITING = 64;
const WARN_EVERY_MS = 30_000;
/** Loops look by themselves as often. */
const PASS_ON_EVERY_MS = 1_000;

/** What a job says besides «look». */
export interface WakeJob {
  /** What there is work for, where the topic has ids. */
  id?: string;
  /** The process that had it could not take what waits. */
  passedOn?: boolean;
}

/** Wakes other processes by BullMQ: a topic's queue is the registered one of the same name. */
@Injectable()
export class WakeQueues implements OnModuleInit {
  private readonly logger = new Logger('Queue');
  private readonly senders = new Map<string, Sender>();
  private warnedAt = 0;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly instance: InstanceHeartbeat,
  ) {}

  onModuleInit(): void {
    for (const { instance } of this.discovery.getProviders()) {
      if (!(instance instanceof Queue)) continue;
      // Without a listener, a broken connection would end the process.
      instance.on('error', (error) => this.warn(error));
      const sender = new Sender(instance, this.instance.id, (error) => this.warn(error));
      this.senders.set(instance.name, sender);
    }
  }

  send(topic: string, ids: readonly string[]): void {
    this.senders.get(topic)?.send(ids);
  }

  passOn(topic: string): void {
    this.senders.get(topic)?.passOn();
  }

  private warn(error: unknown): void {
    if (Date.now() - this.warnedAt < WARN_EVERY_MS) return;
    this.warnedAt = Date.now();
    this.logger.warn(`The queue cannot be reached; workers find work by looking for it: ${String(error)}`);
  }
}

class Sender {
  private count = 0;
  private sending = false;
  private again = false;
  private passedOnAt = 0;

  constructor(
    private readonly queue: Queue,
    private readonly sender: string,
    private readonly warn: (error: unknown) => void,
  ) {}

  send(ids: readonly string[]): void {
    if (ids.length === 0) return this.sendOne();
    // The id is also the job's, so that it waits in the queue once.
    this.queue
      .addBulk(ids.map((id) => ({ name: 'wake', data: { id }, opts: { jobId: id } })))
      .catch(this.warn);
  }

  passOn(): void {
    if (Date.now() - this.passedOnAt < PASS_ON_EVERY_MS) return;
    this.passedOnAt = Date.now();
    void this.add({ passedOn: true });
  }

  /** Wakes that are asked for while one is being sent are sent as one. */
  private sendOne(): void {
    if (this.sending) {
      this.again = true;
      return;
    }
    this.sending = true;
    void this.add({}).then(() => {
      this.sending = false;
      if (!this.again) return;
      this.again = false;
      this.sendOne();
    });
  }

  /** The job's id repeats, so that a queue that nobody reads does not grow without end. */
  private async add(job: WakeJob): Promise<void> {
    const jobId = `${this.sender}-${this.count++ % MOST_WAITING}`;
    await this.queue.add('wake', job, { jobId }).catch(this.warn);
  }
}
