import { Injectable, Logger } from '@nestjs/common';
import type { TextStreamPart, ToolSet } from 'ai';

import { Settings } from '../../core/config/index.js';
import { Unavailable } from '../../core/errors/index.js';
import { Lifecycle } from '../../core/lifecycle/index.js';
import { type ToolCaller, ToolsService } from '../../tools/index.js';
import type { AgentRow } from '../agents.sql.js';
import { LanguageModels } from '../models/language-models.js';
import { modelFailureOf } from '../models/model-failure.js';
import { promptOf } from './agent-prompt.js';
import type { TellChat } from './chat-events.js';
import { CHAT_LIMITS, ChatBudget, endingSentence } from './chat-limits.js';
import type { ChatMessage } from './chat-messages.js';
import type { ChatDto } from './chat.dto.js';
import { Toolbox } from './toolbox.js';

interface ConversationOrder {
  agent: AgentRow;
  by: ToolCaller;
  messages: ChatMessage[];
  /** Aborted: nobody listens any more. */
  ended: AbortSignal;
  requestId: string;
}

/** Lets a language model answer, and call the agent's tools as often as it wants to, within limits. */
@Injectable()
export class AgentConversationService {
  private readonly logger = new Logger('Agents');

  constructor(
    private readonly tools: ToolsService,
    private readonly models: LanguageModels,
    private readonly lifecycle: Lifecycle,
    private readonly settings: Settings,
  ) {}

  /** @throws Unavailable where the model fails, or the process stops before it has answered */
  async answer(order: ConversationOrder, tell: TellChat): Promise<ChatDto> {
    const { agent, by, messages, requestId } = order;
    const { answerSeconds } = this.settings.models;
    const time = AbortSignal.timeout(answerSeconds * 1000);
    const stopped = AbortSignal.any([order.ended, this.lifecycle.stopping]);
    const budget = new ChatBudget(time);
    const toolbox = new Toolbox(this.tools, { by, scripts: agent.scripts, budget, tell, requestId });
    const spoken = new SpokenText(tell);
    globalThis.AI_SDK_LOG_WARNINGS = false;
    const ai = await import('ai');
    try {
      const parts = ai.streamText({
        model: await this.models.model(agent.model),
        instructions: promptOf(agent),
        messages,
        tools: await toolbox.open(ai),
        stopWhen: [ai.stepCountIs(CHAT_LIMITS.turns), () => budget.isSpent],
        maxRetries: 0,
        maxOutputTokens: CHAT_LIMITS.outputTokensPerTurn,
        abortSignal: AbortSignal.any([time, stopped]),
        // What failed comes as a part of the stream, or is thrown by it.
        onError: () => undefined,
      }).stream;
      for await (const part of parts) take(part, { budget, toolbox, spoken, tell });
    } catch (error) {
      if (!time.aborted && !stopped.aborted) throw this.failed(error, requestId);
    }
    if (stopped.aborted) throw new Unavailable('The answer was broken off. Runs that were started go on.');
    const { ending, inputTokens, outputTokens, turns } = budget;
    const content = spoken.end(endingSentence(ending, answerSeconds));
    return {
      message: { role: 'assistant', content },
      runs: toolbox.runs,
      usage: { inputTokens, outputTokens, turns },
      ending,
    };
  }

  private failed(error: unknown, requestId: string): unknown {
    if (error instanceof Unavailable) return error;
    const { problem, reason } = modelFailureOf(error);
    this.logger.warn(`The models' endpoint failed: ${reason}`, { requestId });
    return problem;
  }
}

interface Listeners {
  budget: ChatBudget;
  toolbox: Toolbox;
  spoken: SpokenText;
  tell: TellChat;
}

function take(part: TextStreamPart<ToolSet>, { budget, toolbox, spoken, tell }: Listeners): void {
  switch (part.type) {
    case 'text-start':
      return spoken.beginPart();
    case 'text-delta':
      return spoken.add(part.text);
    case 'tool-call': {
      const { toolCallId: id, toolName, input } = part;
      const tool = toolbox.find(toolName);
      return tell('tool', { id, name: tool?.name ?? toolName, script: tool?.script ?? null, input });
    }
    case 'finish-step': {
      const { inputTokens = 0, outputTokens = 0 } = part.usage;
      return budget.addTurn(inputTokens, outputTokens, part.finishReason);
    }
    case 'error':
      throw part.error;
    default:
  }
}

/** What the model says in all its turns, each part a paragraph of its own. */
class SpokenText {
  private text = '';
  private beginsPart = false;

  constructor(private readonly tell: TellChat) {}

  beginPart(): void {
    this.beginsPart = true;
  }

  add(delta: string): void {
    if (delta === '') return;
    const text = this.beginsPart && this.text !== '' ? `\n\n${delta}` : delta;
    this.beginsPart = false;
    this.text += text;
    this.tell('text', { delta: text });
  }

  /** All of it; where that is nothing, the sentence. */
  end(sentence: string): string {
    if (this.text.trim() === '') this.add(sentence);
    return this.text;
  }
}
