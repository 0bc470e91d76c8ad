import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';

import { RUNS_QUEUE } from '../../core/queue/index.js';
import { Drain, HeldCopy, Waker } from '../../core/work/index.js';
import { QueueHooks, type QueueListener } from '../../queues/index.js';
import { type QueueName, QueuePlacesRepository, turnOfQueue } from './queue-places.repository.js';
import { RUN_TURNS } from './run-turn.rules.js';
import { RunTurnsRepository } from './run-turns.repository.js';
import { TurnKeys } from './turn-keys.js';

/** So many keys are looked at in one pass; the next one goes on after them. */
const KEYS = 500;
const START = { workspaceId: '', key: '' };

/**
 * Gives places to runs that share a number of them. Whoever ends one says so, and its place goes on at once. What was said
 * to a process that died is found by looking.
 */
@Injectable()
export class RunTurnsService implements OnModuleInit, QueueListener {
  private readonly logger = new Logger('Runs');
  /** Keys that are to be looked at, and whether somebody does. */
  private readonly told = new TurnKeys();
  private giving: Promise<void> | null = null;
  private after = START;

  constructor(
    private readonly turns: RunTurnsRepository,
    private readonly places: QueuePlacesRepository,
    private readonly queues: QueueHooks,
    private readonly waker: Waker,
    private readonly copy: HeldCopy,
  ) {}

  onModuleInit(): void {
    this.queues.register(this);
    this.waker.onWake(RUN_TURNS, {
      wake: (keys) => {
        this.tell(keys);
        return true;
      },
    });
  }

  /** Looks for keys of which runs wait, and gives their places beside whoever asks. Returns whether there may be more of them. */
  async look(): Promise<boolean> {
    // What was found before comes first.
    if (this.giving) return false;
    const keys = await this.turns.waitingKeys(this.after, KEYS);
    this.after = keys.length === KEYS ? keys.at(-1)! : START;
    const given = new Set<string>();
    for (const { workspaceId, key, queue, isOwn, isFree } of keys) {
      // A queue gives its places to all of its keys at once.
      const turn = queue === null ? key : turnOfQueue({ workspaceId, name: queue });
      if (!isOwn && (!isFree || given.has(turn))) continue;
      given.add(turn);
      this.tell([key]);
    }
    return keys.length === KEYS;
  }

  async onChange(queue: QueueName): Promise<void> {
    await this.places.recall(queue);
    this.waker.wake(RUN_TURNS, [turnOfQueue(queue)]);
  }

  async onMove(
    script: { id: string; workspaceId: string },
    from: string | null,
    to: string | null,
  ): Promise<void> {
    const keys = await this.places.move(script, from, to);
    const { workspaceId } = script;
    const queues = [from, to].flatMap((name) => (name === null ? [] : turnOfQueue({ workspaceId, name })));
    this.waker.wake(RUN_TURNS, to === null ? [...queues, ...keys] : queues);
  }

  @Drain('sending')
  async finish(): Promise<void> {
    await this.giving;
  }

  private tell(keys: Iterable<string>): void {
    for (const key of keys) this.told.add(key);
    this.giving ??= this.giveTold().finally(() => (this.giving = null));
  }

  private async giveTold(): Promise<void> {
    for (let key = this.told.take(); key !== null; key = this.told.take()) {
      // Whoever looks finds it as well.
      await this.give(key).catch((error: unknown) =>
        this.logger.warn(`Turns could not be given: ${String(error)}`),
      );
    }
  }

  private async give(key: string): Promise<void> {
    if (this.copy.isHeld) return;
    if ((await this.turns.giveTurns(key)) > 0) this.waker.wake(RUNS_QUEUE);
  }
}
