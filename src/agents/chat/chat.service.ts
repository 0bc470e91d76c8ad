import { Injectable, type OnModuleInit } from '@nestjs/common';

import type { WorkspaceCaller } from '../../core/access/index.js';
import { newId } from '../../core/crypto/index.js';
import { Database } from '../../core/database/index.js';
import { Conflict } from '../../core/errors/index.js';
import { IdempotencyService, RetryResponseRegistry } from '../../core/idempotency/index.js';
import { AgentBudgetsService, UsageService } from '../../usage/index.js';
import { AgentsService } from '../agents.service.js';
import { LanguageModels } from '../models/language-models.js';
import { chatCallerOf } from './chat-caller.js';
import type { TellChat } from './chat-events.js';
import { parseMessages } from './chat-messages.js';
import type { ChatDto } from './chat.dto.js';
import { AgentConversationService } from './agent-conversation.service.js';

const MESSAGE = 'agent_message';

/** One message to an agent: admitted and counted first, then answered, be it at once or as a stream. */
export type ChatAnswer = (tell: TellChat, ended: AbortSignal) => Promise<ChatDto>;

/** Messages to agents. The conversation itself is kept by whoever holds it. */
@Injectable()
export class ChatService implements OnModuleInit {
  constructor(
    private readonly agents: AgentsService,
    private readonly models: LanguageModels,
    private readonly conversation: AgentConversationService,
    private readonly usage: UsageService,
    private readonly budgets: AgentBudgetsService,
    private readonly database: Database,
    private readonly idempotency: IdempotencyService,
    private readonly resources: RetryResponseRegistry,
  ) {}

  onModuleInit(): void {
    this.resources.register(MESSAGE, () =>
      Promise.reject(
        new Conflict(
          'The first request with this key was begun and has no response yet, or never will: it may have been cut off. Its runs are in GET /v1/runs. To ask again, use a new key.',
        ),
      ),
    );
  }

  /** @throws ProblemError where the agent cannot be asked; then nothing is counted */
  async begin(caller: WorkspaceCaller, slug: string, sent: unknown, requestId: string): Promise<ChatAnswer> {
    const messages = parseMessages(sent);
    const agent = await this.agents.find(caller, slug);
    if (!agent.enabled) throw new Conflict(`The agent ${slug} is not enabled.`);
    this.models.assertSet(agent.model);
    const by = chatCallerOf(caller, agent, null);
    await this.database.transaction(async () => {
      // From here on, a retry never asks again: the agent may have started runs.
      await this.idempotency.commit(MESSAGE, newId('event'));
      await this.usage.consume(caller.workspace.id, 'agent_messages');
      await this.budgets.use(by.caller, { messages: 1 });
    });
    return (tell, ended) =>
      this.idempotency.outside(() =>
        this.conversation.answer({ agent, by, messages, ended, requestId }, tell),
      );
  }
}
