import { approvalsCreate, approvalsGet, approvalsRedeem } from '../generated/sdk.gen.js';
import type { ApprovalRequest, ApprovalRequestInput, Redemption } from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { CallOptions } from '../http/settings.js';
import { sleep } from '../http/sleep.js';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 10_000;

/** What this credential may not do itself, and asks a person for. People decide in the app. */
export class ApprovalRequests {
  constructor(private readonly calls: Calls) {}

  create(input: ApprovalRequestInput, options?: CallOptions): Promise<ApprovalRequest> {
    return this.calls.send(approvalsCreate<true>, { body: input }, options);
  }

  get(id: string, options?: CallOptions): Promise<ApprovalRequest> {
    return this.calls.send(approvalsGet<true>, { path: { id } }, options);
  }

  /** Carries out an approved request whose action makes a secret, and gives that: once. */
  redeem(id: string, options?: CallOptions): Promise<Redemption> {
    return this.calls.send(approvalsRedeem<true>, { path: { id } }, options);
  }

  /**
   * Waits until a person has decided, or the request has expired.
   *
   * @returns the request, `pending` no more
   */
  async wait(id: string, options: CallOptions = {}): Promise<ApprovalRequest> {
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 1.5, LONGEST_WAIT_MS)) {
      const request = await this.get(id, options);
      if (request.status !== 'pending') return request;
      await sleep(waitMs, options.signal);
    }
  }
}
