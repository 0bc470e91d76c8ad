import { join } from 'node:path';

import { expect, inject } from 'vitest';

import {
  type Answer,
  type Client,
  createClient,
  type GatehouseProcess,
  type Json,
  type TestWorkspace,
} from '../../libs/testing/index.js';
import { startGatehouse } from './gatehouse.js';
import { ModelServer, type Provider } from './model-server.js';

/** A process whose agents use a model of the test; its runs are executed by the service that all tests share. */
export class AgentHouse {
  private constructor(
    readonly process: GatehouseProcess,
    readonly model: ModelServer,
  ) {}

  static async open(provider: Provider, env: Record<string, string> = {}): Promise<AgentHouse> {
    const model = await ModelServer.open();
    const process = await startGatehouse({
      env: {
        DATABASE_URL: inject('databaseUrl'),
        GATEHOUSE_ROLE: 'api',
        GATEHOUSE_FILES: `file:${join(inject('dataDirectory'), 'files')}`,
        GATEHOUSE_RATE_LIMIT: '0',
        GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1',
        GATEHOUSE_MODEL_PROVIDER: provider,
        GATEHOUSE_MODEL_URL: model.url,
        GATEHOUSE_MODEL_KEY: 'model-key-1',
        GATEHOUSE_MODEL: 'model-1',
        GATEHOUSE_MODEL_SILENCE_SECONDS: '20',
        ...env,
      },
    });
    return new AgentHouse(process, model);
  }

  async close(): Promise<void> {
    await this.process.stop();
    await this.model.close();
  }

  /** The owner's, in the app. */
  app({ owner, slug }: TestWorkspace): Client {
    return createClient({ baseUrl: this.process.baseUrl, cookie: owner.cookie, workspace: slug });
  }

  by(token: string, workspace?: TestWorkspace): Client {
    const { baseUrl } = this.process;
    return createClient({ baseUrl, token, ...(workspace && { workspace: workspace.slug }) });
  }
}

export const said = (content: string): Json => ({ messages: [{ role: 'user', content }] });

export const ask = (api: Client, agent: string, content = 'Hello'): Promise<Answer> =>
  api.post(`/v1/agents/${agent}/chat`, said(content));

let agents = 0;

export async function newAgent(api: Client, scripts: string[] = [], fields: Json = {}): Promise<string> {
  const slug = `agent-${process.pid}-${++agents}`;
  const made = await api.post('/v1/agents', { slug, name: 'Helper', scripts, ...fields });
  expect(made.status, made.text).toBe(201);
  return slug;
}

interface Streamed {
  status: number;
  type: string | null;
  events: { event: string; data: Json }[];
}

/** A message with a streamed response: the events, as far as `until` says. */
export const askStreaming = (
  house: AgentHouse,
  workspace: TestWorkspace,
  agent: string,
  until?: (event: { event: string; data: Json }) => boolean,
): Promise<Streamed> => streamed(house, workspace, `/v1/agents/${agent}/chat`, said('Hello'), until);

export async function streamed(
  house: AgentHouse,
  { owner, slug }: TestWorkspace,
  path: string,
  body: Json,
  until: (event: { event: string; data: Json }) => boolean = () => false,
): Promise<Streamed> {
  const response = await fetch(`${house.process.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      cookie: owner.cookie,
      'x-workspace': slug,
    },
    body: JSON.stringify(body),
  });
  const events: { event: string; data: Json }[] = [];
  let rest = '';
  for await (const chunk of response.body!) {
    const frames = (rest + Buffer.from(chunk).toString()).split('\n\n');
    rest = frames.pop()!;
    for (const frame of frames) {
      const match = /^event: (.*)\ndata: (.*)$/.exec(frame);
      if (match) events.push({ event: match[1]!, data: JSON.parse(match[2]!) as Json });
    }
    // Leaving the loop ends the connection.
    if (events.some(until)) break;
  }
  return { status: response.status, type: response.headers.get('content-type'), events };
}
