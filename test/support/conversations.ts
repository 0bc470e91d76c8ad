import { expect } from 'vitest';

import type { Answer, Client, Json } from '../../libs/testing/index.js';

/** A conversation with an agent that is kept on the service. */
export class Conversation {
  private constructor(
    private readonly api: Client,
    readonly path: string,
  ) {}

  static async begin(api: Client, agent: string): Promise<Conversation> {
    const made = await api.post(`/v1/agents/${agent}/conversations`);
    expect(made.status, made.text).toBe(201);
    return new Conversation(api, `/v1/agents/${agent}/conversations/${made.body.id}`);
  }

  say(content: string | null, api = this.api): Promise<Answer> {
    return api.post(`${this.path}/messages`, content === null ? {} : { content });
  }

  get(api = this.api): Promise<Answer> {
    return api.get(this.path);
  }

  async messages(): Promise<Json[]> {
    return (await this.get()).body.messages as Json[];
  }
}
