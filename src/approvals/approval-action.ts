import { DiscoveryService } from '@nestjs/core';

import type { WorkspaceCaller } from '../core/access/caller.js';
import type { Role } from '../core/access/roles.js';

/** What performing an action came to. */
export interface ActionOutcome {
  /** What was made or changed, for everyone who may see the request: never a secret. */
  result: Record<string, unknown>;
  /** The secret that was made; only where the action declares `secret`. */
  secret?: string;
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
  /** Whose yes counts. What their role would not let them do directly is refused all the same. */
  readonly approverRoles: readonly Role[];
  /** Set where the action makes a secret: what it is called, and the variable that a command line would keep it in. */
  readonly secret?: { readonly name: string; readonly envVar: string };
  /** True: filed by the product itself, neither listed nor to be asked for by its id. */
  readonly internal?: boolean;
  /** JSON Schema 2020-12 of `input`: a closed object. */
  readonly inputSchema: Record<string, unknown>;

  /**
   * Exactly what will happen, in one sentence, with names instead of ids.
   *
   * @throws ProblemError where the input makes no sense or names something that the asker cannot see; it is answered
   * as 400
   */
  summarise(input: Input, asker: WorkspaceCaller): Promise<string> | string;

  /**
   * Looks at the outside world, such as the DNS, before the request is filed and again before it is performed; no
   * transaction is open.
   *
   * @throws ProblemError where it must not be
   */
  prepare?(input: Input): Promise<void>;

  /**
   * Does it, in a transaction, with the right of the person who approved: by the same services as the routes, so that
   * nobody approves what they could not do.
   *
   * @throws Forbidden where that person may not (the request stays pending); any other ProblemError makes the request
   * `failed`, with its message
   */
  perform(input: Input, approver: WorkspaceCaller): Promise<ActionOutcome>;
}

/** Marks a provider as an approvable action. Found when the application starts; a second one of the same id stops it. */
export const ApprovalAction = DiscoveryService.createDecorator();
