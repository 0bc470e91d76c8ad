import { membersList, membersRemove, membersUpdate } from '../generated/sdk.gen.js';
import type { Member, MemberPatch, MembersListData } from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { Pages } from '../http/pages.js';
import type { CallOptions } from '../http/settings.js';

/** Who is in the workspace. */
export class Members {
  constructor(private readonly calls: Calls) {}

  /** Newest first. */
  list(query?: MembersListData['query'], options?: CallOptions): Pages<Member> {
    return this.calls.list(membersList<true>, { query }, options);
  }

  update(memberId: string, patch: MemberPatch, options?: CallOptions): Promise<Member> {
    return this.calls.send(membersUpdate<true>, { path: { memberId }, body: patch }, options);
  }

  remove(memberId: string, options?: CallOptions): Promise<void> {
    return this.calls.do(membersRemove<true>, { path: { memberId } }, options);
  }
}
