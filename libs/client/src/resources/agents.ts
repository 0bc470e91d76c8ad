import {
  agentsChange,
  agentsCreate,
  agentsDelete,
  agentsGet,
  agentsList,
  agentsUsage,
  chatAsk,
} from '../generated/sdk.gen.js';
import type {
  Agent,
  AgentInput,
  AgentPatch,
  AgentsListData,
  AgentUsage,
  Chat,
  ChatInput,
  HeldRun,
} from '../generated/types.gen.js';
import { apiErrorOf } from '../errors/error-of-response.js';
import { ConnectionError } from '../errors/errors.js';
import { readEvents } from '../events/read-events.js';
import type { Calls } from '../http/calls.js';
import type { Pages } from '../http/pages.js';
import type { CallOptions } from '../http/settings.js';
import { EVENTS } from '../http/transport.js';

/** What an agent says and does while it replies. */
export type ChatEvent =
  | { type: 'text'; delta: string }
  /** It uses a tool, which is a script or one of the service's. */
  | { type: 'tool'; id: string; name: string; script: string | null; input: unknown }
  /** A run that it started, and again when its state has changed. */
  | { type: 'run'; id: string; tool: string; run: HeldRun }
  /** The last one, with all of it. */
  | ({ type: 'done' } & Chat);

/** As long as an agent's turns may take. */
export const CHAT_TIMEOUT_MS = 900_000;

/** Language models that use scripts as their tools. An agent is named by its slug or id. */
export class Agents {
  constructor(private readonly calls: Calls) {}

  /** Newest first. */
  list(query?: AgentsListData['query'], options?: CallOptions): Pages<Agent> {
    return this.calls.list(agentsList<true>, { query }, options);
  }

  create(input: AgentInput, options?: CallOptions): Promise<Agent> {
    return this.calls.send(agentsCreate<true>, { body: input }, options);
  }

  get(agent: string, options?: CallOptions): Promise<Agent> {
    return this.calls.send(agentsGet<true>, { path: { agent } }, options);
  }

  update(agent: string, patch: AgentPatch, options?: CallOptions): Promise<Agent> {
    return this.calls.send(agentsChange<true>, { path: { agent }, body: patch }, options);
  }

  delete(agent: string, options?: CallOptions): Promise<void> {
    return this.calls.do(agentsDelete<true>, { path: { agent } }, options);
  }

  /** What was used through it, today and this month, and how much of it may be. */
  usage(agent: string, options?: CallOptions): Promise<AgentUsage> {
    return this.calls.send(agentsUsage<true>, { path: { agent } }, options);
  }

  /** What the agent replies to a conversation, whose last message is a person's. Nothing of it is kept. */
  chat(agent: string, input: ChatInput, options?: CallOptions): Promise<Chat> {
    const patient = { timeoutMs: CHAT_TIMEOUT_MS, ...options };
    return this.calls.send(chatAsk<true>, { path: { agent }, body: input }, patient);
  }

  /**
   * The same, told while it goes on. It is not tried again.
   *
   * @throws ApiError also when the agent fails half-way
   */
  async *chatStream(
    agent: string,
    input: ChatInput,
    options?: CallOptions,
  ): AsyncGenerator<ChatEvent, void, void> {
    const headers = { accept: EVENTS };
    const response = await this.calls.request(
      { method: 'POST', url: '/v1/agents/{agent}/chat', path: { agent }, body: input, headers },
      options,
    );
    for await (const { event, data } of readEvents(response.body!)) {
      const fields = JSON.parse(data);
      if (event === 'error') throw apiErrorOf(fields, response.status);
      yield { type: event, ...fields } as ChatEvent;
      if (event === 'done') return;
    }
    throw new ConnectionError('The connection ended before the agent had replied.');
  }
}
