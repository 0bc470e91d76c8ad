import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';

import { isDatabaseAway } from '../database/index.js';
import { errorText } from '../errors/index.js';
import { DiskRoom } from '../disk/index.js';
import { Lifecycle } from '../lifecycle/index.js';
import { type Declaration, DeclarationScanner } from './declaration-scanner.js';
import { DEFAULT_STAGE, DRAIN_ORDER, type DrainStage } from './drain-order.js';
import { drainStageOf } from './drain.decorator.js';
import { HeldCopy } from './held-copy.js';
import { type LoopOptions, type NextPass, loopOptionsOf } from './loop.decorator.js';
import { LoopRunner, type PassResult } from './loop-runner.js';
import { Waker } from './waker.js';

/** Who is told of each pass, such as a metric. */
type PassListener = (loop: string, result: PassResult) => void;

interface RunningLoop {
  name: string;
  options: LoopOptions;
  settled: () => Promise<void>;
}

/** Starts every loop that a provider declares, and ends them in order when the process stops. */
@Injectable()
export class Loops implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Loops');
  private readonly runners = new Map<LoopRunner, RunningLoop>();
  private readonly listeners: PassListener[] = [];

  constructor(
    private readonly declarations: DeclarationScanner,
    private readonly waker: Waker,
    private readonly clocks: SchedulerRegistry,
    private readonly lifecycle: Lifecycle,
    private readonly disk: DiskRoom,
    private readonly copy: HeldCopy,
  ) {}

  onPass(listener: PassListener): void {
    this.listeners.push(listener);
  }

  onApplicationBootstrap(): void {
    for (const declaration of this.declarations.find(loopOptionsOf)) this.start(declaration);
  }

  async onModuleDestroy(): Promise<void> {
    const drains = this.declarations.find(drainStageOf);
    for (const stage of DRAIN_ORDER) {
      this.lifecycle.enter(stage);
      await this.end(stage);
      await Promise.all(drains.filter(({ options }) => options === stage).map((drain) => this.finish(drain)));
    }
  }

  /** For a job of the queue: has the topic's loops pass, and returns when they have room for more. */
  async passAndWaitForRoom(topic: string, told: { woken: boolean }): Promise<void> {
    const awaited = [...this.runners].filter(([, { options }]) => options.wake === topic);
    await Promise.all(awaited.map(([runner]) => runner.passAndWaitForRoom(told)));
  }

  /**
   * Has a loop pass now, for whoever cannot wait for its clock, such as a test. Resolves once that pass is over with what it
   * began, failed or not.
   *
   * @param name class and method, such as `RunSweeper.sweep`
   */
  async passNow(name: string): Promise<void> {
    const found = [...this.runners].find(([, loop]) => loop.name === name);
    if (!found) throw new Error(`There is no loop ${name} in this process.`);
    await passNow(found);
  }

  /**
   * Has every loop pass now, as after a time in which this machine slept: those that keep what is held first, so that nobody
   * takes this process for one that has ended. Resolves once those passes are over with what they began, failed or not.
   */
  async passAllNow(): Promise<void> {
    const all = [...this.runners];
    const holding = all.filter(([, { options }]) => options.stage === 'holding');
    const others = all.filter(([, { options }]) => options.stage !== 'holding');
    for (const loops of [holding, others]) await Promise.all(loops.map(passNow));
  }

  private start({ name, options, instance, call }: Declaration<LoopOptions>): void {
    const { every, apart = 0, wake, atStart = true, hasRoom = () => true } = options;
    const { needsDisk = false, reachesOut = false } = options;
    const mayPass = (): boolean =>
      !(needsDisk && !this.disk.isEnough) && !(reachesOut && this.copy.isHeld) && hasRoom(instance);
    const runner = new LoopRunner(
      { every, apart, atStart, hasRoom: mayPass },
      (pass) => call(pass) as Promise<NextPass>,
      (result) => this.passed(name, result),
    );
    this.runners.set(runner, { name, options, settled: async () => options.settled?.(instance) });
    if (wake !== undefined) this.waker.onWake(wake, { wake: () => runner.wake(), look: () => runner.look() });
    this.clocks.addInterval(name, runner.start());
  }

  private passed(name: string, result: PassResult): void {
    if ('error' in result) {
      const text = `${name} is tried again in ${result.waitMs / 1000} s: ${describe(result.error)}`;
      if (isDatabaseAway(result.error)) this.logger.warn(text);
      else this.logger.error(text);
    }
    for (const listener of this.listeners) listener(name, result);
  }

  private async end(stage: DrainStage): Promise<void> {
    const ending = [...this.runners].filter(([, { options }]) => (options.stage ?? DEFAULT_STAGE) === stage);
    await Promise.all(
      ending.map(async ([runner, { name }]) => {
        await runner.end();
        this.clocks.deleteInterval(name);
      }),
    );
  }

  /** What cannot be finished is left to other processes, and does not keep this one from ending. */
  private async finish({ name, call }: Declaration<DrainStage>): Promise<void> {
    try {
      await call();
    } catch (error) {
      this.logger.error(`${name}: ${describe(error)}`);
    }
  }
}

async function passNow([runner, { settled }]: [LoopRunner, RunningLoop]): Promise<void> {
  await runner.passNow();
  await settled();
}

/** Where in the code it was thrown matters only for what is a mistake of ours. */
function describe(error: unknown): string {
  return isDatabaseAway(error) ? String(error) : errorText(error);
}
