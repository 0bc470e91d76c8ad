import { approvalsListActions } from '../generated/sdk.gen.js';
import type { ApprovableAction } from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { CallOptions } from '../http/settings.js';

/** What a person can be asked to approve. */
export class ApprovalActions {
  constructor(private readonly calls: Calls) {}

  async list(options?: CallOptions): Promise<ApprovableAction[]> {
    return (await this.calls.send(approvalsListActions<true>, {}, options)).items;
  }
}
