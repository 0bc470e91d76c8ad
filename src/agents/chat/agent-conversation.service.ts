import { Injectable, Logger } from '@nestjs/common';
import type { ModelMessage, TextStreamPart, ToolSet } from 'ai';

import { Settings } from '../../core/config/index.js';
import { Unavailable } from '../../core/errors/index.js';
import { Lifecycle } from '../../core/lifecycle/index.js';
import { type ToolCaller, ToolsService } from '../../tools/index.js';
import { AgentBudgetsService, plausibleTokens } from '../../usage/index.js';
import type { AgentRow } from '../agents.sql.js';
import { LanguageModels } from '../models/language-models.js';
import { modelFailureOf } from '../models/model-failure.js';
import { promptOf } from './agent-prompt.js';
import type { TellChat } from './chat-events.js';
import { CHAT_LIMITS, ChatBudget, endingSentence } from './chat-limits.js';
import { type ChatRecord, NO_RECORD } from './chat-record.js';
import type { ChatDto } from './chat.dto.js';
import { TokenMeter } from './token-meter.js';
import { Toolbox } from './toolbox.js';
import { withoutCalls } from './without-calls.js';

interface ConversationOrder {
  agent: AgentRow;
  by: ToolCaller;
  messages: ModelMessage[];
  /** Aborted: nobody listens any more. */
  ended: AbortSignal;
  requestId: string;
  /** Where it is written down; left out: nowhere. */
  record?: ChatRecord;
}

/** Lets a language model answer, and call the agent's tools as often as it wants to, within limits. */
@Injectable()
export class AgentConversationService {
  private readonly logger = new Logger('Agents');

  constructor(
    private readonly tools: ToolsService,
    private readonly models: LanguageModels,
    private readonly budgets: AgentBudgetsService,
    private readonly lifecycle: Lifecycle,
    private readonly settings: Settings,
  ) {}

  /** @throws Unavailable where the model fails, or the process stops before it has answered */
  async answer(order: ConversationOrder, tell: TellChat): Promise<ChatDto> {
    const { agent, by, requestId, record = NO_RECORD } = order;
    const { answerSeconds } = this.settings.models;
    const time = new AbortController();
    const timer = setTimeout(() => time.abort(), answerSeconds * 1000);
    const ends = [order.ended, this.lifecycle.stopping];
    const isStopped = (): boolean => ends.some(({ aborted }) => aborted);
    const budget = new ChatBudget(time.signal);
    const meter = new TokenMeter(this.budgets, by.caller, budget);
    const toolbox = new Toolbox(this.tools, { by, scripts: agent.scripts, budget, tell, record, requestId });
    const spoken = new SpokenText(tell, record);
    globalThis.AI_SDK_LOG_WARNINGS = false;
    const ai = await import('ai');
    try {
      const tools = await toolbox.open(ai);
      const parts = ai.streamText({
        model: await this.models.model(agent.model, performance.now() + answerSeconds * 1000),
        instructions: promptOf(agent),
        messages: Object.keys(tools).length > 0 ? order.messages : withoutCalls(order.messages),
        tools,
        stopWhen: [
          ai.stepCountIs(CHAT_LIMITS.turns),
          async ({ steps }) => {
            for (const [place, { usage }] of steps.entries()) {
              meter.add(place, plausibleTokens(usage.inputTokens), plausibleTokens(usage.outputTokens));
            }
            await meter.counted();
            return budget.isSpent || record.isFull;
          },
        ],
        maxRetries: 0,
        maxOutputTokens: CHAT_LIMITS.outputTokensPerTurn,
        // One signal of plain ones: one that is made of made ones can be collected, and the limit with it.
        abortSignal: AbortSignal.any([time.signal, ...ends]),
        // What failed comes as a part of the stream, or is thrown by it.
        onError: () => undefined,
      }).stream;
      for await (const part of parts) take(part, { budget, meter, toolbox, spoken, tell, record });
    } catch (error) {
      if (!time.signal.aborted && !isStopped()) throw this.failed(error, requestId);
    } finally {
      clearTimeout(timer);
    }
    await meter.counted();
    if (isStopped()) throw new Unavailable('The answer was broken off. Runs that were started go on.');
    const { ending, inputTokens, outputTokens, turns } = budget;
    const content = spoken.end(endingSentence(budget, answerSeconds));
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

/** Such a call was never carried out. */
const NO_SUCH_CALL = 'invalid_request: There is no such tool, or its arguments were no JSON.';

interface Listeners {
  budget: ChatBudget;
  meter: TokenMeter;
  toolbox: Toolbox;
  spoken: SpokenText;
  tell: TellChat;
  record: ChatRecord;
}

function take(part: TextStreamPart<ToolSet>, listeners: Listeners): void {
  const { budget, meter, toolbox, spoken, tell, record } = listeners;
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
    case 'tool-error': {
      const { toolCallId: id, toolName, input } = part;
      record.call(id, { tool: toolbox.find(toolName)?.name ?? toolName, script: null, input });
      return record.result(id, NO_SUCH_CALL);
    }
    case 'finish-step': {
      record.endStep();
      const [input, output] = [part.usage.inputTokens, part.usage.outputTokens].map(plausibleTokens);
      meter.add(budget.turns, input!, output!);
      return budget.addTurn(input!, output!, part.finishReason);
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

  constructor(
    private readonly tell: TellChat,
    private readonly record: ChatRecord,
  ) {}

  beginPart(): void {
    this.beginsPart = true;
  }

  add(delta: string): void {
    if (delta === '') return;
    const text = this.beginsPart && this.text !== '' ? `\n\n${delta}` : delta;
    this.beginsPart = false;
    this.text += text;
    this.tell('text', { delta: text });
    this.record.say(text);
  }

  /** All of it; where that is nothing, the sentence. */
  end(sentence: string): string {
    if (this.text.trim() === '') this.add(sentence);
    return this.text;
  }
}
