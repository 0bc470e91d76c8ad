import { setTimeout as sleep } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../../core/access/index.js';
import { isId, newId } from '../../core/crypto/index.js';
import { keysetPage, type Page, type PageRequest } from '../../core/database/index.js';
import { Conflict, NotFound } from '../../core/errors/index.js';
import { ScriptCatalogService, viewerOf } from '../../scripts/index.js';
import { AgentsService } from '../agents.service.js';
import type { AgentConversation } from './conversation.entity.js';
import type { ConversationDto, ConversationDetailDto } from './conversation.dto.js';
import type { ConversationEntry } from './conversation-entry.entity.js';
import { type HistoryMessage, historyOf } from './conversation-history.js';
import { CONVERSATION_LIMITS } from './conversation-limits.js';
import { conversationOwner } from './conversation-owner.js';
import { present, presentDetail } from './conversation-presenter.js';
import { ConversationsRepository } from './conversations.repository.js';

const MOST_WAIT_MS = 2_000;
const BETWEEN_LOOKS_MS = 50;

/** Conversations that are kept here. Each is seen by the one who began it, and by nobody else. */
@Injectable()
export class ConversationsService {
  constructor(
    private readonly agents: AgentsService,
    private readonly repository: ConversationsRepository,
    private readonly scripts: ScriptCatalogService,
  ) {}

  async list(caller: WorkspaceCaller, slug: string, request: PageRequest): Promise<Page<ConversationDto>> {
    const agent = await this.agents.find(caller, slug);
    const owner = conversationOwner(caller);
    const fetch = (after: string | null, count: number) =>
      this.repository.list(owner, agent.id, after, count);
    const filters = [owner, agent.id];
    return keysetPage(request, { list: 'agent-conversations', filters }, fetch, present);
  }

  async create(caller: WorkspaceCaller, slug: string): Promise<ConversationDto> {
    const agent = await this.agents.find(caller, slug);
    if (!agent.enabled) throw new Conflict(`The agent ${slug} is not enabled.`);
    const owner = conversationOwner(caller);
    if ((await this.repository.count(owner)) >= CONVERSATION_LIMITS.each) {
      throw new Conflict(
        `You keep ${CONVERSATION_LIMITS.each} conversations, which is the most. Delete some.`,
      );
    }
    const id = newId('conversation');
    await this.repository.insert({ id, agentId: agent.id, ...owner });
    return present(await this.find(caller, agent.id, id));
  }

  async get(caller: WorkspaceCaller, slug: string, id: string): Promise<ConversationDetailDto> {
    const agent = await this.agents.find(caller, slug);
    const conversation = await this.find(caller, agent.id, id);
    const { history, visible } = await this.history(caller, id);
    return presentDetail(conversation, history, visible);
  }

  async delete(caller: WorkspaceCaller, slug: string, id: string): Promise<void> {
    const agent = await this.agents.find(caller, slug);
    await this.find(caller, agent.id, id);
    await this.repository.delete(id);
  }

  /** @throws NotFound also where it is another's */
  async find(caller: WorkspaceCaller, agentId: string, id: string): Promise<AgentConversation> {
    const found = isId('conversation', id)
      ? await this.repository.find(conversationOwner(caller), agentId, id)
      : null;
    if (!found) throw new NotFound('conversation');
    return found;
  }

  /** The same once the agent does not answer. After a while also where it does: it ends shortly after its client has gone. */
  async findAtRest(caller: WorkspaceCaller, agentId: string, id: string): Promise<AgentConversation> {
    const until = performance.now() + MOST_WAIT_MS;
    for (;;) {
      const conversation = await this.find(caller, agentId, id);
      if (conversation.turnUntil === null || performance.now() >= until) return conversation;
      await sleep(BETWEEN_LOOKS_MS);
    }
  }

  /** Its calls whose runs had not ended when they were looked at last. */
  waiting(id: string): Promise<ConversationEntry[]> {
    return this.repository.waiting(id);
  }

  /** All that was said and done, and the scripts of it that exist for the caller now. */
  async history(
    caller: WorkspaceCaller,
    id: string,
  ): Promise<{ history: HistoryMessage[]; visible: ReadonlySet<string> }> {
    const entries = await this.repository.entriesOf(id);
    const slugs = [...new Set(entries.flatMap(({ script }) => script ?? []))];
    return {
      history: historyOf(entries),
      visible: await this.scripts.visibleSlugs(viewerOf(caller), slugs),
    };
  }
}
