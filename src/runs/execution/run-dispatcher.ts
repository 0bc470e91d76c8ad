import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Gauge } from 'prom-client';

import { type Claimed, shareOf } from '../../core/claims/fair-share.js';
import { Settings } from '../../core/config/settings.js';
import { Database } from '../../core/database/database.js';
import { Notifications } from '../../core/database/notifications.js';
import { Lifecycle } from '../../core/lifecycle/lifecycle.js';
import { Instance } from '../../core/queue/instance.js';
import { Metrics } from '../../core/telemetry/metrics.js';
import { RunFiles } from '../../files/run-files.js';
import { Outputs } from '../output/outputs.js';
import { RunDispatch } from '../run-dispatch.js';
import { BoxProvider } from './box-provider.js';
import { Gates } from './gates.js';
import { RunExecution } from './run-execution.js';
import { RunExecutionRepository } from './run-execution.repository.js';
import { RunInputs } from './run-inputs.js';
import { RunSecrets } from './run-secrets.js';
import { VersionCache } from './version-cache.js';

const LOOK_EVERY_MS = 1_000;
const RENEW_EVERY_MS = 5_000;
/** How often in a row a claim is tried again because other workers were quicker. */
const MOST_MISSES = 5;
export const CANCEL_TOPIC = 'cancel';

/** Takes runs from the database while there is room, and carries them out. Any number of these may run at once. */
@Injectable()
export class RunDispatcher implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(RunDispatcher.name);
  private readonly active = new Map<RunExecution, Promise<void>>();
  private looking: Promise<void> | null = null;
  private lookAgain = false;
  /** Somebody said that there is a run, rather than the clock that it is time to look. */
  private told = false;
  /** Neither before the sandbox is open nor once the process stops is anything taken. */
  private open = false;
  private roomWaiters: (() => void)[] = [];

  constructor(
    private readonly runs: RunExecutionRepository,
    private readonly boxes: BoxProvider,
    private readonly versions: VersionCache,
    private readonly inputs: RunInputs,
    private readonly secrets: RunSecrets,
    private readonly gates: Gates,
    private readonly files: RunFiles,
    private readonly outputs: Outputs,
    private readonly database: Database,
    private readonly notifications: Notifications,
    private readonly instance: Instance,
    private readonly dispatch: RunDispatch,
    private readonly lifecycle: Lifecycle,
    private readonly settings: Settings,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    this.open = true;
    this.dispatch.registerLocal(() => this.kick({ told: true }));
    this.kick();
    const { active } = this;
    new Gauge({
      name: 'gatehouse_runs_executing',
      help: 'Runs that this worker has taken and not finished.',
      registers: [this.metrics.registry],
      collect() {
        this.set(active.size);
      },
    });
  }

  /** Starts to look for runs if there is room for one more; says whether there is. */
  kick({ told } = { told: false }): boolean {
    if (!this.open || this.room <= 0) return false;
    this.told ||= told;
    void this.look();
    return true;
  }

  /**
   * For a wake-up from the queue: returns when all that waited is taken, so that a full worker takes no further ones.
   *
   * @param passedOn another worker had it before, which could not take what waits
   */
  async takeAll({ passedOn }: { passedOn: boolean }): Promise<void> {
    this.told ||= !passedOn;
    while (this.open) {
      await this.look();
      if (this.room > 0) return;
      await new Promise<void>((done) => this.roomWaiters.push(done));
    }
  }

  @Interval(LOOK_EVERY_MS)
  lookByTheClock(): void {
    this.kick();
  }

  @Interval(RENEW_EVERY_MS)
  async renew(): Promise<void> {
    if (this.active.size === 0) return;
    const executions = [...this.active.keys()];
    try {
      const renewals = await this.runs.renew(executions.map(({ run }) => run));
      const ours = new Map(renewals.map((renewal) => [renewal.id, renewal]));
      for (const execution of executions) {
        const renewal = ours.get(execution.run.id);
        if (renewal?.cancelRequested) execution.cancel();
        // One that ended while the statement was under way is not in the answer either.
        if (!renewal && this.active.has(execution)) execution.abandonUnlessEnding();
      }
    } catch (error) {
      this.logger.warn(`Leases could not be renewed: ${String(error)}`);
    }
  }

  /** Takes nothing new, waits for what runs, and ends what does not end in time. */
  async onModuleDestroy(): Promise<void> {
    this.open = false;
    this.freeRoom();
    await this.looking;
    if (this.active.size > 0) {
      console.log(`Waiting up to ${this.settings.drainSeconds} s for ${this.active.size} running script(s).`);
    }
    await Promise.race([this.allDone(), this.patienceEnds()]);
    for (const execution of this.active.keys()) execution.stop();
    await this.allDone();
  }

  private get room(): number {
    return this.settings.runConcurrency - this.active.size;
  }

  /** One look at a time; whoever asks meanwhile has another one follow. */
  private async look(): Promise<void> {
    if (this.looking) {
      this.lookAgain = true;
      return this.looking;
    }
    this.looking = this.claimWhileThereIsRoom().finally(() => {
      this.looking = null;
    });
    await this.looking;
  }

  private async claimWhileThereIsRoom(): Promise<void> {
    try {
      let misses = 0;
      for (let more = true; more && this.open && this.room > 0;) {
        this.lookAgain = false;
        const { items, missed, passedOver } = await this.claim();
        for (const run of items) this.start(run);
        misses = missed ? misses + 1 : 0;
        more = (missed && misses < MOST_MISSES) || this.lookAgain;
        if (passedOver && this.told) this.dispatch.passOn();
        this.told = false;
      }
    } catch (error) {
      this.logger.warn(`Could not look for runs: ${String(error)}`);
    }
  }

  private claim(): Promise<Claimed<RunExecution['run']>> {
    const share = shareOf(this.settings.runConcurrency, this.settings.workspaceShare);
    return this.runs.claim(this.instance.id, { room: this.room, share }, this.versions.latest());
  }

  private start(run: RunExecution['run']): void {
    const execution = new RunExecution(run, {
      sandbox: this.boxes.sandbox,
      runs: this.runs,
      versions: this.versions,
      inputs: this.inputs,
      secrets: this.secrets,
      gates: this.gates,
      files: this.files,
      outputs: this.outputs,
      database: this.database,
    });
    const unsubscribe = this.notifications.on(CANCEL_TOPIC, run.id, () => execution.cancel());
    const done = execution
      .execute()
      .catch((error: unknown) => this.logger.error(`${run.id}: ${String(error)}`))
      .finally(() => {
        unsubscribe();
        this.active.delete(execution);
        this.freeRoom();
        this.kick();
      });
    this.active.set(execution, done);
  }

  private freeRoom(): void {
    for (const wake of this.roomWaiters.splice(0)) wake();
  }

  private async allDone(): Promise<void> {
    await Promise.all(this.active.values());
  }

  private patienceEnds(): Promise<void> {
    return new Promise((done) => {
      if (this.lifecycle.hurried.aborted) return done();
      const timer = setTimeout(done, this.settings.drainSeconds * 1000);
      this.lifecycle.hurried.addEventListener('abort', () => {
        clearTimeout(timer);
        done();
      });
    });
  }
}
