import { Injectable, type OnModuleInit } from '@nestjs/common';

import type { WorkspaceCaller } from '../../core/access/index.js';
import { Conflict } from '../../core/errors/index.js';
import { IdempotencyService, RetryResponseRegistry } from '../../core/idempotency/index.js';
import { type ToolCaller, ToolsService } from '../../tools/index.js';
import { AgentsService } from '../agents.service.js';
import { AgentConversationService } from '../chat/agent-conversation.service.js';
import { chatCallerOf } from '../chat/chat-caller.js';
import type { ChatAnswer } from '../chat/chat.service.js';
import { LanguageModels } from '../models/language-models.js';
import { forModel } from './conversation-history.js';
import { CONVERSATION_LIMITS } from './conversation-limits.js';
import type { ConversationEntry } from './conversation-entry.entity.js';
import { CONVERSATION_MESSAGE, ConversationTurnsService, type SettledCall } from './conversation-turns.js';
import { ConversationsService } from './conversations.service.js';

const GO_ON = 'The runs that were waited for have ended; their results stand above. Go on.';

/** Messages in conversations that are kept here, each carried out with the rights of whoever sends it. */
@Injectable()
export class ConversationMessagesService implements OnModuleInit {
  constructor(
    private readonly agents: AgentsService,
    private readonly conversations: ConversationsService,
    private readonly turns: ConversationTurnsService,
    private readonly answers: AgentConversationService,
    private readonly models: LanguageModels,
    private readonly tools: ToolsService,
    private readonly idempotency: IdempotencyService,
    private readonly resources: RetryResponseRegistry,
  ) {}

  onModuleInit(): void {
    this.resources.register(CONVERSATION_MESSAGE, () =>
      Promise.reject(
        new Conflict(
          'The first request with this key was begun. What the agent said and did stands in the conversation. To ask again, use a new key.',
        ),
      ),
    );
  }

  /**
   * Takes a message; without one, the agent goes on once a run for which it waited has ended.
   *
   * @throws ProblemError where the agent cannot be asked; then nothing is counted
   */
  async begin(
    caller: WorkspaceCaller,
    { agent: slug, id }: { agent: string; id: string },
    content: string | undefined,
    { requestId, ended: over }: { requestId: string; ended: AbortSignal },
  ): Promise<ChatAnswer> {
    const agent = await this.agents.find(caller, slug);
    const conversation = await this.conversations.findAtRest(caller, agent.id, id);
    if (!agent.enabled) throw new Conflict(`The agent ${slug} is not enabled.`);
    assertRoom(conversation);
    this.models.assertSet(agent.model);
    const by = chatCallerOf(caller, agent, id);
    const settled = await this.settled(by, await this.conversations.waiting(id), requestId);
    if (content === undefined && settled.length === 0) {
      throw new Conflict(
        'Nothing that the agent waited for has ended. Send a message, or wait for its runs.',
      );
    }
    const { key, record } = await this.turns.begin(by.caller, conversation, content ?? GO_ON, settled);
    let isAnswering = false;
    // A client may go away before its stream has begun.
    const giveUp = (): void => void (isAnswering || this.turns.end(key));
    over.addEventListener('abort', giveUp, { once: true });
    if (over.aborted) giveUp();
    return (tell, ended) =>
      this.idempotency.outside(async () => {
        isAnswering = true;
        try {
          const { history, visible } = await this.conversations.history(caller, id);
          const messages = forModel(history, visible);
          const answer = await this.answers.answer({ agent, by, messages, ended, requestId, record }, tell);
          await record.written();
          return answer;
        } finally {
          await record.written().catch(() => undefined);
          await this.turns.end(key);
        }
      });
  }

  /** Those whose runs have ended, or cannot be read any more. */
  private async settled(
    by: ToolCaller,
    waiting: readonly ConversationEntry[],
    requestId: string,
  ): Promise<SettledCall[]> {
    const { signal } = new AbortController();
    const looks = waiting.slice(-CONVERSATION_LIMITS.looks).map(async (entry) => {
      const { run, text, isError } = await this.tools.look(by, entry.runId!, { signal, requestId });
      if (!run && !isError) return [];
      const goesOn = run?.status === 'awaiting_approval' || run?.status === 'running';
      return goesOn ? [] : [{ entry, content: text }];
    });
    return (await Promise.all(looks)).flat();
  }
}

function assertRoom({ bytes, entries }: { bytes: number; entries: number }): void {
  if (bytes < CONVERSATION_LIMITS.bytes && entries < CONVERSATION_LIMITS.entries) return;
  throw new Conflict('The conversation is as long as it may get. Begin a new one.');
}
