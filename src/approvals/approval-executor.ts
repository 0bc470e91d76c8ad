import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../core/access/index.js';
import { isId } from '../core/crypto/index.js';
import { Database } from '../core/database/index.js';
import { ProblemError } from '../core/errors/index.js';
import type { ActionOutcome, ApprovalActionProvider } from './approval-action.js';
import { ApprovalActions } from './approval-actions.js';
import type { GoneAsker, LockedApproval } from './approvals.repository.js';

/** Done, or in words for everyone why it cannot be. */
export type Attempt = { outcome: ActionOutcome } | { failure: string };

const ASKER_GONE: Record<GoneAsker, string> = {
  person: 'The person who asked is not a member of the workspace any more.',
  api_key: 'The API key that asked has been revoked or has ended.',
  app: 'The app that asked has been disconnected.',
};

/** Does what was approved, as the person who approved it, so that a failure leaves nothing half done. */
@Injectable()
export class ApprovalExecutor {
  constructor(
    private readonly actions: ApprovalActions,
    private readonly database: Database,
  ) {}

  /** Looks at the outside world; no transaction may be open. Returns why it must not be, or null. */
  async prepare(action: string, input: Record<string, unknown>): Promise<string | null> {
    try {
      await this.actions.find(action)?.provider.prepare?.(input);
      return null;
    } catch (error) {
      return failureOf(error);
    }
  }

  /** Why the request cannot be performed any more, whoever approves it; or null. */
  obstacle(request: LockedApproval): string | null {
    if (!this.actions.find(request.action)) return `The action ${request.action} is not available any more.`;
    if (request.askerGone !== null) return ASKER_GONE[request.askerGone];
    if (!request.environment) return 'The environment that this was asked for in has been deleted.';
    return null;
  }

  /**
   * To be called in the transaction that holds the request's lock.
   *
   * @param credentialId of the session that approves; there is none any more where it is done later
   * @throws Forbidden where the person may not do this themselves, and any error that is not the request's fault
   */
  async attempt(request: LockedApproval, credentialId = request.id): Promise<Attempt> {
    const obstacle = this.obstacle(request);
    if (obstacle !== null) return { failure: obstacle };
    const { provider } = this.actions.get(request.action);
    const approver = approverOf(request, credentialId);
    try {
      return await this.database.savepoint(async () => {
        const change = await whatChanged(provider, request, approver);
        if (change !== null) return { failure: change };
        const { id, about, runId, requestedByUserId: requestedBy } = request;
        const performed = { id, about, runId, requestedBy, grantId: grantOf(request) };
        return { outcome: await provider.perform(request.input, approver, performed) };
      });
    } catch (error) {
      return { failure: failureOf(error) };
    }
  }
}

/** An agent of Gatehouse itself is asked in the name of a person, and has no grant. */
function grantOf({ credentialKind, credentialId }: LockedApproval): string | null {
  return credentialKind === 'agent' && isId('grant', credentialId ?? '') ? credentialId : null;
}

/** A person in the app, in the environment of the request, with the role that they have now. */
function approverOf(
  { workspace, environment, person: { role, ...person } }: LockedApproval,
  credentialId: string,
): WorkspaceCaller {
  return {
    kind: 'session',
    credentialId,
    credentialName: null,
    person,
    scopes: null,
    scriptChoice: null,
    confirmed: true,
    workspace,
    role: role!,
    environment: environment!,
    stepUpMinutes: null,
    bound: false,
  };
}

async function whatChanged(
  provider: ApprovalActionProvider,
  { about, input }: LockedApproval,
  approver: WorkspaceCaller,
): Promise<string | null> {
  if (about === null) return null;
  const now = await provider.summarise(input, approver);
  if (typeof now !== 'string' && now.about === about) return null;
  return 'What this is about has changed since it was asked for. Ask again.';
}

/** @throws the error itself where the request has to stay as it is */
function failureOf(error: unknown): string {
  if (error instanceof ProblemError && error.code !== 'forbidden' && error.status < 500) return error.message;
  throw error;
}
