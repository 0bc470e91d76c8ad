import { DiscoveryService } from '@nestjs/core';

import type { Role, WorkspaceCaller } from '../core/access/index.js';

/** What performing an action came to. */
export interface ActionOutcome {
  /** What was made or changed, for everyone who may see the request: never a secret. */
  result: Record<string, unknown>;
  /** Shown with the result to the person who approves, in that one response, and kept nowhere. */
  forApprover?: Record<string, unknown>;
  /** The secret that was made; only where the action declares `secret`. */
  secret?: string;
}

/** What will happen, and what that depends on. */
export interface ActionSummary {
  /** Exactly what will happen, in one sentence, with names instead of ids. */
  text: string;
  /**
   * What the sentence is about where the input alone leaves it open, such as the id behind a name or the role before
   * the change. `summarise` is asked again before the action is performed. If this differs then, the request fails.
   */
  about?: string;
}

/** The request that is being performed. */
export interface PerformedRequest {
  id: string;
  /** As `summarise` said when it was filed. */
  about: string | null;
  /** The person who asked; null for an API key or the system. */
  requestedBy: string | null;
  /** The app that asked, by its grant: what it made for somebody who has not taken it yet ends with it. null: no app asked. */
  grantId: string | null;
  /** The run that it is about. */
  runId: string | null;
}

/** A request that ends without having been performed. */
export interface UnperformedRequest<Input extends object = Record<string, unknown>> {
  id: string;
  workspaceId: string;
  status: 'denied' | 'expired' | 'failed';
  input: Input;
  runId: string | null;
  /** Why it was denied, in the decider's words, or why it failed. */
  reason: string | null;
}

/**
 * Something that a credential may not do itself, and a person may say yes to. One provider per action, marked with
 * `@ApprovalAction()`.
 *
 * @example
 * \@ApprovalAction()
 * export class RenameWorkspace implements ApprovalActionProvider<{ name: string }> {
 *   readonly id = 'workspace.rename';
 *   readonly title = 'Rename the workspace';
 *   readonly approverRoles = ['owner'] as const;
 *   readonly inputSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'], additionalProperties: false };
 *   summarise({ name }, asker) { return `Rename the workspace "${asker.workspace.name}" to "${name}".`; }
 *   async perform({ name }, approver) { return { result: await this.workspaces.update(approver, { name }) }; }
 * }
 */
export interface ApprovalActionProvider<Input extends object = Record<string, unknown>> {
  /** Dotted and unique, such as `member.invite`. */
  readonly id: string;
  readonly title: string;
  /**
   * Whose yes counts: owners, and from there down to the least role. What their role would not let them do directly is
   * refused all the same.
   */
  readonly approverRoles: readonly Role[];
  /** Set where the action makes a secret: what it is called, and the variable that a command line would keep it in. */
  readonly secret?: { readonly name: string; readonly envVar: string };
  /**
   * True where it gives somebody a role or a way in: who approves it has to have signed in within the last hour. So it is
   * with every action that makes a secret.
   */
  readonly givesAccess?: boolean;
  /** True: filed by the product itself, neither listed nor to be asked for by its id. */
  readonly internal?: boolean;
  /** How long it waits for a decision, up to a day. Default: a day. */
  readonly lifetimeMinutes?: number;
  /** JSON Schema 2020-12 of `input`: a closed object. Defaults are filled in. */
  readonly inputSchema: Record<string, unknown>;

  /**
   * Exactly what will happen, in one sentence, with names (see `inlineText`) instead of ids. Not asked of internal actions.
   *
   * @throws ProblemError where the input makes no sense or names something that the asker cannot see. Its paths begin
   * at the input. NotFound becomes a 400, as if the input named nothing; other problems stay as they are
   */
  summarise(input: Input, asker: WorkspaceCaller): Promise<string | ActionSummary> | string | ActionSummary;

  /**
   * Looks at the outside world, such as the DNS, before the request is filed and again before it is performed; no
   * transaction is open.
   *
   * @throws ProblemError where it must not be: the request is not filed, or fails
   */
  prepare?(input: Input): Promise<void>;

  /**
   * Whether nobody may decide what they asked for themselves, as the workspace has it now. Called in the transaction of
   * the filing and of the decision; what it reads must stay so until that ends.
   */
  needsSecondPerson?(workspaceId: string): Promise<boolean>;

  /**
   * Does it, in a transaction, with the right of the person who approved: by the same services as the routes, so that
   * nobody approves what they could not do.
   *
   * @throws Forbidden where that person may not (the request stays pending); any other ProblemError below 500 makes the
   * request `failed`, with its message
   */
  perform(input: Input, approver: WorkspaceCaller, request: PerformedRequest): Promise<ActionOutcome>;

  /**
   * Called with the requests of this action that were denied, failed or expired, in the transaction in which they did:
   * for what waits for them. The requests are locked before; set-based statements only.
   */
  unperformed?(requests: readonly UnperformedRequest<Input>[]): Promise<void>;
}

/** Marks a provider as an approvable action. Found when the application starts; a second one of the same id stops it. */
export const ApprovalAction = DiscoveryService.createDecorator();
