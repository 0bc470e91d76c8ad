import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

import { Sandbox } from '../../../libs/sandbox/index.js';
import { Settings } from '../../core/config/index.js';
import { HealthChecks } from '../../core/telemetry/index.js';
import { WorkspaceOwners } from '../../core/work/index.js';
import { USUAL_RESOURCES } from '../../scripts/index.js';
import { RunMetrics } from '../run-metrics.js';
import { sandboxOptionsOf } from './sandbox-of-worker.js';
import { type Loan, WorkerMemory } from './worker-memory.js';

const MiB = 1024 * 1024;
const USUAL_BYTES = USUAL_RESOURCES.memory * MiB;

/** The worker's sandbox. If it does not work the process does not start, so that nothing ever runs without it. */
@Injectable()
export class BoxProvider implements OnModuleInit, OnApplicationShutdown {
  sandbox!: Sandbox;
  private readonly memory: WorkerMemory;

  constructor(
    private readonly settings: Settings,
    private readonly health: HealthChecks,
    private readonly metrics: RunMetrics,
    private readonly owners: WorkspaceOwners,
  ) {
    const { workerMemoryMb, runConcurrency } = settings;
    this.memory = new WorkerMemory(workerMemoryMb * MiB, USUAL_BYTES, runConcurrency);
  }

  /** @param bytes all that a run of the workspace may have. @throws RunFailure where this worker has not as much */
  async lend(bytes: number, workspaceId: string): Promise<Loan> {
    const owner = bytes > USUAL_BYTES ? await this.owners.of(workspaceId) : workspaceId;
    return this.memory.borrow(bytes, owner);
  }

  async onModuleInit(): Promise<void> {
    this.sandbox = await Sandbox.open(sandboxOptionsOf(this.settings));
    const { limits, boxUsers } = this.sandbox;
    if (boxUsers === 'own') {
      console.log(
        "Sandbox users: own. Scripts run as this worker's user, since it is not root and has no other ids (subuid(5)), so what a script may watch with epoll is limited.",
      );
    }
    if (limits === 'reduced') {
      console.log(
        'Sandbox limits: reduced. No cgroup can be written here, so memory is limited for each process of a script rather than for all of them together.',
      );
    }
    this.metrics.templates(() => this.sandbox.templateState);
    this.metrics.kept(() => this.sandbox.keptState);
    this.health.register('sandbox', () => Promise.resolve(`limits: ${limits}`));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sandbox?.close();
  }
}
