import { usageGet } from '../generated/sdk.gen.js';
import type { WorkspaceUsage } from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { CallOptions } from '../http/settings.js';

/** What the workspace has used in this period. */
export class Usage {
  constructor(private readonly calls: Calls) {}

  get(options?: CallOptions): Promise<WorkspaceUsage> {
    return this.calls.send(usageGet<true>, {}, options);
  }
}
