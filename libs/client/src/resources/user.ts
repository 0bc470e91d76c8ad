import { userMe, userRevoke } from '../generated/sdk.gen.js';
import type { UserMe } from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { CallOptions } from '../http/settings.js';

/** The person whose personal access token this is. */
export class CurrentUser {
  constructor(private readonly calls: Calls) {}

  me(options?: CallOptions): Promise<UserMe> {
    return this.calls.send(userMe<true>, {}, options);
  }

  /** Revokes the token that this is called with, at once. */
  revokeToken(options?: CallOptions): Promise<void> {
    return this.calls.do(userRevoke<true>, {}, options);
  }
}
