import { invitationsCreate, invitationsDelete, invitationsList } from '../generated/sdk.gen.js';
import type {
  Invitation,
  InvitationCreated,
  InvitationInput,
  InvitationsListData,
} from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { Pages } from '../http/pages.js';
import type { CallOptions } from '../http/settings.js';

/** Who was asked to join the workspace, and has not answered yet. */
export class Invitations {
  constructor(private readonly calls: Calls) {}

  /** Newest first. */
  list(query?: InvitationsListData['query'], options?: CallOptions): Pages<Invitation> {
    return this.calls.list(invitationsList<true>, { query }, options);
  }

  create(input: InvitationInput, options?: CallOptions): Promise<InvitationCreated> {
    return this.calls.send(invitationsCreate<true>, { body: input }, options);
  }

  delete(id: string, options?: CallOptions): Promise<void> {
    return this.calls.do(invitationsDelete<true>, { path: { id } }, options);
  }
}
