import type { WorkspaceCaller } from '../core/access/index.js';
import { Unavailable } from '../core/errors/index.js';
import { inTime } from '../core/time-limit/index.js';
import type {
  ActionOutcome,
  ActionSummary,
  ApprovalActionProvider,
  PerformedRequest,
  UnperformedRequest,
} from './approval-action.js';

/** For each of its methods. */
const LONGEST_MS = 15_000;

/** An action of an extension: what it does not end in time fails, and holds up nothing but its own request. */
export class TimedAction implements ApprovalActionProvider {
  readonly id: string;
  readonly title: string;
  readonly approverRoles: ApprovalActionProvider['approverRoles'];
  readonly secret?: NonNullable<ApprovalActionProvider['secret']>;
  readonly internal?: boolean;
  readonly lifetimeMinutes?: number;
  readonly inputSchema: Record<string, unknown>;
  readonly prepare?: NonNullable<ApprovalActionProvider['prepare']>;
  readonly needsSecondPerson?: NonNullable<ApprovalActionProvider['needsSecondPerson']>;
  readonly unperformed?: NonNullable<ApprovalActionProvider['unperformed']>;

  constructor(private readonly action: ApprovalActionProvider) {
    this.id = action.id;
    this.title = action.title;
    this.approverRoles = action.approverRoles;
    this.inputSchema = action.inputSchema;
    if (action.secret) this.secret = action.secret;
    if (action.lifetimeMinutes !== undefined) this.lifetimeMinutes = action.lifetimeMinutes;
    if (action.internal !== undefined) this.internal = action.internal;
    if (action.prepare) this.prepare = (input) => this.inTime(() => action.prepare!(input));
    if (action.needsSecondPerson) {
      this.needsSecondPerson = (workspaceId) => this.inTime(() => action.needsSecondPerson!(workspaceId));
    }
    if (action.unperformed) {
      this.unperformed = (requests: readonly UnperformedRequest[]) =>
        this.inTime(() => action.unperformed!(requests));
    }
  }

  summarise(input: Record<string, unknown>, asker: WorkspaceCaller): Promise<string | ActionSummary> {
    return this.inTime(() => this.action.summarise(input, asker));
  }

  perform(
    input: Record<string, unknown>,
    approver: WorkspaceCaller,
    request: PerformedRequest,
  ): Promise<ActionOutcome> {
    return this.inTime(() => this.action.perform(input, approver, request));
  }

  private inTime<T>(work: () => Promise<T> | T): Promise<T> {
    const seconds = LONGEST_MS / 1000;
    const late = (): Error => new Unavailable(`The action ${this.id} did not end within ${seconds} s.`);
    return inTime({ ms: LONGEST_MS, late }, work);
  }
}
