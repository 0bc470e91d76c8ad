import { IN_PERSON, type WorkspaceCaller } from '../../core/access/index.js';

/** Whose conversations somebody sees: their own, in one environment. */
export interface ConversationOwner {
  workspaceId: string;
  environmentId: string;
  userId: string | null;
  credentialId: string | null;
}

/**
 * A person sees what they said in the app and by their tokens. An API key and a connected app see their own conversations
 * only, and the person does not see the app's: it may have said what it knows of others.
 */
export function conversationOwner(caller: WorkspaceCaller): ConversationOwner {
  return {
    workspaceId: caller.workspace.id,
    environmentId: caller.environment.id,
    userId: caller.person?.id ?? null,
    credentialId: IN_PERSON.includes(caller.kind) ? null : caller.credentialId,
  };
}
