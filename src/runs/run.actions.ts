import type { HostRule } from '../../libs/egress/index.js';
import {
  ApprovalAction,
  type ApprovalActionProvider,
  inputOf,
  type PerformedRequest,
  type UnperformedRequest,
} from '../approvals/index.js';
import type { WorkspaceCaller } from '../core/access/index.js';
import { Conflict } from '../core/errors/index.js';
import type { RawJson } from '../core/json/index.js';
import { RUNS_QUEUE } from '../core/queue/index.js';
import { Waker } from '../core/work/index.js';
import type { Labels, Retry } from '../scripts/index.js';
import { releaseProblem } from './held-run.rules.js';
import { HeldRunsRepository } from './held-runs.repository.js';

/** What a held run's request shows of it: it keeps version, inputs and hosts of when it was asked for. */
export interface RunStartInput extends Record<string, unknown> {
  script: string;
  version: number;
  /** The id of the trial; `version` is 0 then. */
  trial?: string;
  environment: string;
  inputs: RawJson;
  hosts: string[];
  /** Where some of them have rules. */
  hostRules?: HostRule[];
  test: boolean;
  /** It would send nothing. */
  plan?: true;
  startAt?: string;
  expiresAt?: string;
  /** As the start says, or else the version, where it may begin more than once. */
  retry?: Retry;
  priority?: number;
  labels?: Labels;
}

/** Lets a held run go. Filed with the run itself, so nobody asks for it by its id. */
@ApprovalAction()
export class RunStartAction implements ApprovalActionProvider<RunStartInput> {
  readonly id = 'run.start';
  readonly title = 'Start a run';
  readonly approverRoles = ['owner', 'admin'] as const;
  readonly internal = true;
  readonly inputSchema = inputOf(
    {
      script: { type: 'string' },
      version: { type: 'integer' },
      environment: { type: 'string' },
      inputs: { type: 'object' },
      hosts: { type: 'array', items: { type: 'string' } },
      test: { type: 'boolean' },
    },
    {
      trial: { type: 'string' },
      hostRules: { type: 'array', items: { type: 'object' } },
      plan: { type: 'boolean' },
      startAt: { type: 'string' },
      expiresAt: { type: 'string' },
      retry: { type: 'object' },
      priority: { type: 'integer' },
      labels: { type: 'object' },
    },
  );

  constructor(
    private readonly held: HeldRunsRepository,
    private readonly waker: Waker,
  ) {}

  summarise({ script }: RunStartInput): string {
    return `Run ${script}.`;
  }

  async perform(_input: RunStartInput, _approver: WorkspaceCaller, { runId }: PerformedRequest) {
    const run = runId === null ? null : await this.held.lock(runId);
    if (run?.phase !== 'held') throw new Conflict('The run is not held any more.');
    const problem = releaseProblem(run);
    if (problem !== null) throw new Conflict(`The run cannot start: ${problem}.`);
    await this.held.release(run.id);
    this.waker.wake(RUNS_QUEUE);
    return { result: { runId: run.id } };
  }

  async unperformed(requests: readonly UnperformedRequest<RunStartInput>[]): Promise<void> {
    await this.held.cancel(
      requests.flatMap(({ runId, status, reason }) =>
        runId === null ? [] : [{ id: runId, reason: ENDINGS[status](reason) }],
      ),
    );
  }
}

/** What the run says of why it never began. */
const ENDINGS: Record<UnperformedRequest['status'], (reason: string | null) => string> = {
  denied: (reason) => (reason === null ? 'the approval was denied' : `the approval was denied: ${reason}`),
  expired: () => 'nobody approved it within 24 hours',
  failed: (reason) => reason ?? 'it could not be started when it was approved',
};
