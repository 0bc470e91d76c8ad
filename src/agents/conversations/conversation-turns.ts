import { Injectable, Logger } from '@nestjs/common';

import type { WorkspaceCaller } from '../../core/access/index.js';
import { Settings } from '../../core/config/index.js';
import { newId } from '../../core/crypto/index.js';
import { Database } from '../../core/database/index.js';
import { Conflict } from '../../core/errors/index.js';
import { IdempotencyService } from '../../core/idempotency/index.js';
import { InstanceHeartbeat } from '../../core/work/index.js';
import { cutToBytes } from '../../runs/index.js';
import { AgentBudgetsService, UsageService } from '../../usage/index.js';
import type { AgentConversation } from './conversation.entity.js';
import type { ConversationEntry } from './conversation-entry.entity.js';
import { ConversationRecord } from './conversation-record.js';
import { ConversationsRepository, type TurnKey } from './conversations.repository.js';

export const CONVERSATION_MESSAGE = 'conversation_message';

/** Beyond the time of an answer, for what comes before and after it. */
const SPARE_SECONDS = 60;
const MOST_TITLE_BYTES = 120;

/** What has become of a run for which a call waited. */
export interface SettledCall {
  entry: Pick<ConversationEntry, 'conversationId' | 'turn' | 'place'>;
  content: string;
}

/** A turn that has begun, and is to be ended. */
interface BegunTurn {
  key: TurnKey;
  record: ConversationRecord;
}

/**
 * Turns of conversations, one at a time. A turn is given up by its process in the end, also where that fails: it has an end by
 * the clock, and is free as soon as its process is seen no more.
 */
@Injectable()
export class ConversationTurnsService {
  private readonly logger = new Logger('Agents');

  constructor(
    private readonly repository: ConversationsRepository,
    private readonly database: Database,
    private readonly usage: UsageService,
    private readonly budgets: AgentBudgetsService,
    private readonly idempotency: IdempotencyService,
    private readonly instance: InstanceHeartbeat,
    private readonly settings: Settings,
  ) {}

  /**
   * Writes what the person said, and what has become of earlier calls, and counts the message.
   *
   * @throws Conflict while another turn goes on
   * @throws QuotaExceeded
   */
  begin(
    by: WorkspaceCaller,
    conversation: AgentConversation,
    content: string,
    settled: readonly SettledCall[],
  ): Promise<BegunTurn> {
    const { id, workspaceId, entries, bytes } = conversation;
    const seconds = this.settings.models.answerSeconds + SPARE_SECONDS;
    return this.database.transaction(async () => {
      const key = await this.repository.claim(id, this.instance.id, seconds);
      if (!key) {
        throw new Conflict(
          'The agent still answers the message before. Wait for its end, or delete the conversation.',
        );
      }
      for (const { entry, content: text } of settled) {
        await this.repository.changeEntry(entry, { content: text, waits: false });
      }
      const size = [content, ...settled.map(({ content: text }) => text)].reduce(
        (sum, text) => sum + Buffer.byteLength(text),
        0,
      );
      await this.repository.reserve(key, 1, size);
      await this.repository.addEntry(personsEntry(key, content));
      await this.repository.setTitle(id, titleOf(content));
      // From here on, a retry never asks again: the agent may have started runs.
      await this.idempotency.commit(CONVERSATION_MESSAGE, newId('event'));
      await this.usage.consume(workspaceId, 'agent_messages');
      await this.budgets.use(by, { messages: 1 });
      const filled = { entries: entries + 1, bytes: bytes + size };
      return { key, record: new ConversationRecord(this.repository, this.database, key, filled, 1) };
    });
  }

  async end(key: TurnKey): Promise<void> {
    try {
      await this.repository.end(key);
    } catch (error) {
      this.logger.warn(`A turn of ${key.id} could not be ended, and ends by its time: ${String(error)}`);
    }
  }
}

function personsEntry({ id, turn }: TurnKey, content: string) {
  const nothing = { tool: null, input: null, script: null, runId: null, waits: false };
  return { conversationId: id, turn, place: 0, step: 0, kind: 'person' as const, content, ...nothing };
}

/** Its first line, or as much of that as is read at a glance. */
function titleOf(content: string): string {
  const [line = ''] = content.trim().split('\n', 1);
  const title = cutToBytes(line, MOST_TITLE_BYTES);
  return title === line ? title : `${title}…`;
}
