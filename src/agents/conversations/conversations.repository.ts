import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, type Repository, type SelectQueryBuilder } from 'typeorm';

import { inSeconds, newestFirst, NOW, returnedRow } from '../../core/database/index.js';
import { deleteOldest, type Expired, Expires } from '../../core/work/index.js';
import { AgentConversation } from './conversation.entity.js';
import { ConversationEntry } from './conversation-entry.entity.js';
import type { ConversationOwner } from './conversation-owner.js';

type NewConversation = ConversationOwner & { id: string; agentId: string };
type NewEntry = Omit<ConversationEntry, 'createdAt'>;

/** What tells a turn from all others: who has it writes under it. */
export type TurnKey = Pick<AgentConversation, 'id' | 'turn'>;

/** Its process was not seen for as long as a key of idempotency is held for it. */
const ITS_PROCESS_IS_GONE = `NOT EXISTS (
  SELECT FROM instances i WHERE i.id = worker_id AND i.seen_at > now() - interval '40 seconds')`;

@Injectable()
export class ConversationsRepository {
  constructor(
    @InjectRepository(AgentConversation) private readonly conversations: Repository<AgentConversation>,
    @InjectRepository(ConversationEntry) private readonly entries: Repository<ConversationEntry>,
  ) {}

  list(owner: ConversationOwner, agentId: string, after: string | null, count: number) {
    return newestFirst(this.owned(owner).andWhere({ agentId }), after, count).getMany();
  }

  find(owner: ConversationOwner, agentId: string, id: string): Promise<AgentConversation | null> {
    return this.owned(owner).andWhere({ agentId, id }).getOne();
  }

  /** How many somebody has in the workspace, with whichever agents. */
  count(owner: ConversationOwner): Promise<number> {
    return this.owned(owner, { anywhere: true }).getCount();
  }

  async insert(conversation: NewConversation): Promise<void> {
    await this.conversations.insert(conversation);
  }

  /** False: there is no such conversation any more. */
  async delete(id: string): Promise<boolean> {
    return (await this.conversations.delete({ id })).affected === 1;
  }

  /** All that was said, in its order. */
  entriesOf(conversationId: string): Promise<ConversationEntry[]> {
    return this.entries.find({
      where: { conversationId },
      order: { turn: 'ASC', step: 'ASC', place: 'ASC' },
    });
  }

  /** Calls whose runs had not ended, or that were broken off while they followed one; the latest last. */
  waiting(conversationId: string): Promise<ConversationEntry[]> {
    const followed = { conversationId, kind: 'call', runId: Not(IsNull()) } as const;
    return this.entries.find({
      where: [
        { ...followed, waits: true },
        { ...followed, content: IsNull() },
      ],
      order: { turn: 'ASC', place: 'ASC' },
    });
  }

  /** Begins the next turn. null: another one goes on, in a process that lives. */
  claim(id: string, workerId: string, seconds: number): Promise<TurnKey | null> {
    const claiming = this.conversations
      .createQueryBuilder()
      .update()
      .set({ turn: () => 'turn + 1', turnUntil: inSeconds(seconds), workerId, updatedAt: NOW })
      .where('id = :id', { id })
      .andWhere(`(turn_until IS NULL OR turn_until <= now() OR ${ITS_PROCESS_IS_GONE})`);
    return returnedRow(claiming, 'id', 'turn');
  }

  async end({ id, turn }: TurnKey): Promise<void> {
    await this.conversations.update({ id, turn }, { turnUntil: null, workerId: null });
  }

  async setTitle(id: string, title: string): Promise<void> {
    await this.conversations.update({ id, title: '' }, { title });
  }

  /** Counts what a turn is about to write. False: the turn is over, and nothing of it may be written. */
  async reserve(key: TurnKey, entries: number, bytes: number): Promise<boolean> {
    const { affected } = await this.conversations
      .createQueryBuilder()
      .update()
      .set({ entries: () => 'entries + :entries', bytes: () => 'bytes + :bytes', updatedAt: NOW })
      .where({ id: key.id, turn: key.turn })
      .andWhere('turn_until > now()')
      .setParameters({ entries, bytes })
      .execute();
    return affected === 1;
  }

  async addEntry(entry: NewEntry): Promise<void> {
    await this.entries.insert(entry);
  }

  async changeEntry(
    { conversationId, turn, place }: Pick<ConversationEntry, 'conversationId' | 'turn' | 'place'>,
    change: Partial<Pick<ConversationEntry, 'content' | 'script' | 'runId' | 'waits'>>,
  ): Promise<void> {
    await this.entries.update({ conversationId, turn, place }, change);
  }

  @Expires({ after: 'conversations' })
  deleteOld(expired: Expired): Promise<number> {
    return deleteOldest(this.conversations, 'updatedAt', expired);
  }

  private owned(
    { workspaceId, environmentId, userId, credentialId }: ConversationOwner,
    { anywhere = false } = {},
  ): SelectQueryBuilder<AgentConversation> {
    return this.conversations.createQueryBuilder('c').where({
      workspaceId,
      userId: userId ?? IsNull(),
      credentialId: credentialId ?? IsNull(),
      ...(!anywhere && { environmentId }),
    });
  }
}
