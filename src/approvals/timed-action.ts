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

const LONGEST_MS = 15_000;

/** An action of an extension: what it does not end in time fails, and holds up nothing but its own request. */
export class TimedAction implements ApprovalActionProvider {
  readonly id: string;
  readonly title: string;
  readonly approverRoles: ApprovalActionProvider['approverRoles'];
  readonly secret?: NonNullable<ApprovalActionProvider['secret']>;
  readonly internal?: boolean;
  readonly inputSchema: Record<string, unknown>;
  readonly prepare?: NonNullable<ApprovalActionProvider['prepare']>;
  readonly needsSecondPerson?: NonNullable<ApprovalActionProvider['needsSecondPerson']>;
  readonly unperformed?: NonNullable<ApprovalActionProvider['unperformed']>;

  /** @param limit milliseconds for each of its methods */
  constructor(
    private readonly action: ApprovalActionProvider,
    private readonly limit = LONGEST_MS,
  ) {
    this.id = action.id;
    this.title = action.title;
    this.approverRoles = action.approverRoles;
    this.inputSchema = action.inputSchema;
    if (action.secret) this.secret = action.secret;
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
    const seconds = this.limit / 1000;
    const late = (): Error => new Unavailable(`The action ${this.id} did not end within ${seconds} s.`);
    return inTime({ ms: this.limit, late }, work);
  }
}
