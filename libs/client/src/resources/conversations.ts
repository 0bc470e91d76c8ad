import {
  conversationsCreate,
  conversationsDelete,
  conversationsGet,
  conversationsList,
  conversationsSay,
} from '../generated/sdk.gen.js';
import type {
  Chat,
  Conversation,
  ConversationDetail,
  ConversationMessageInput,
  ConversationsListData,
} from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { Pages } from '../http/pages.js';
import type { CallOptions } from '../http/settings.js';
import { CHAT_TIMEOUT_MS } from './agents.js';

/** Conversations with agents that the service keeps. An agent is named by its slug or id. */
export class Conversations {
  constructor(private readonly calls: Calls) {}

  /** The caller's own, newest first. */
  list(agent: string, query?: ConversationsListData['query'], options?: CallOptions): Pages<Conversation> {
    return this.calls.list(conversationsList<true>, { path: { agent }, query }, options);
  }

  create(agent: string, options?: CallOptions): Promise<Conversation> {
    return this.calls.send(conversationsCreate<true>, { path: { agent } }, options);
  }

  /** With its messages, calls of tools and their results. */
  get(agent: string, id: string, options?: CallOptions): Promise<ConversationDetail> {
    return this.calls.send(conversationsGet<true>, { path: { agent, id } }, options);
  }

  /** What the agent replies. Without `content` it goes on where a run has ended meanwhile. */
  say(agent: string, id: string, input: ConversationMessageInput = {}, options?: CallOptions): Promise<Chat> {
    const patient = { timeoutMs: CHAT_TIMEOUT_MS, ...options };
    return this.calls.send(conversationsSay<true>, { path: { agent, id }, body: input }, patient);
  }

  delete(agent: string, id: string, options?: CallOptions): Promise<void> {
    return this.calls.do(conversationsDelete<true>, { path: { agent, id } }, options);
  }
}
