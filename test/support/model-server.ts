import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Json } from '../../libs/testing/index.js';

export type Provider = 'openai' | 'anthropic';

/** What the model says when it is asked. */
export interface Turn {
  text?: string;
  /** Tools that it calls; `input` that is a text is sent as it is, whether JSON or not. */
  calls?: { name: string; input: unknown }[];
  /** Why it ended, where that is neither that it was done nor that it calls tools. */
  ends?: 'length' | 'refusal';
  /** Read and written; [10, 5] where nothing is said. */
  tokens?: [number, number];
  /** The connection is cut after the text. */
  cut?: true;
  /** Nothing comes after the text. */
  stalls?: true;
  /** Sent instead of events. */
  garbage?: string;
  /** An error of the endpoint, with headers. */
  status?: number;
  headers?: Record<string, string>;
}

export interface ModelRequest {
  path: string;
  headers: IncomingMessage['headers'];
  body: Json;
}

/** A turn, or how it is made of what the model was asked. */
export type Script = (Turn | ((request: ModelRequest) => Turn))[];

/** A server of language models that speaks each provider's protocol over HTTP; what its model says is given beforehand. */
export class ModelServer {
  readonly requests: ModelRequest[] = [];
  /** Requests whose client went away before the model had said all. */
  abandoned = 0;
  private script: Script = [];

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.take(request, response));
  }

  static async open(): Promise<ModelServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ModelServer(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** The next turns, of whatever conversation. Forgets what came before. */
  says(...script: Script): void {
    this.script = script;
    this.requests.length = 0;
    this.abandoned = 0;
  }

  /** What tools gave back, as the model was told in its latest request, in the order of its calls. */
  get results(): string[] {
    const messages: Json[] = this.requests.at(-1)!.body.messages;
    return messages.flatMap(({ role, content }) => {
      if (role === 'tool') return String(content);
      if (!Array.isArray(content)) return [];
      return content
        .filter(({ type }: Json) => type === 'tool_result')
        .map((part: Json) => (typeof part.content === 'string' ? part.content : part.content[0].text));
    });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked = {
      path: request.url!,
      headers: request.headers,
      body: JSON.parse(Buffer.concat(chunks).toString()) as Json,
    };
    this.requests.push(asked);
    response.once('close', () => {
      if (!response.writableFinished) this.abandoned += 1;
    });
    const next = this.script.length > 1 ? this.script.shift()! : this.script[0];
    if (next === undefined) return void response.writeHead(500).end('no turn was given');
    const turn = typeof next === 'function' ? next(asked) : next;
    if (turn.status !== undefined) {
      return void response.writeHead(turn.status, turn.headers).end('{"error":{"message":"hidden-detail"}}');
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (turn.garbage !== undefined) return void response.end(turn.garbage);
    const frames = request.url!.endsWith('/messages') ? anthropic(turn) : openai(turn);
    for (const frame of frames.said) response.write(frame);
    if (turn.stalls) return;
    if (turn.cut) return void setTimeout(() => response.destroy(), 50);
    response.end(frames.end.join(''));
  }
}

interface Frames {
  said: string[];
  end: string[];
}

const argumentsOf = (input: unknown): string => (typeof input === 'string' ? input : JSON.stringify(input));
let calls = 0;

function openai({ text, calls: tools = [], ends, tokens = [10, 5] }: Turn): Frames {
  const frame = (delta: object, reason: string | null, more: object = {}): string =>
    `data: ${JSON.stringify({ id: 'c1', choices: [{ index: 0, delta, finish_reason: reason }], ...more })}\n\n`;
  const reasons = { length: 'length', refusal: 'content_filter' };
  const reason = ends ? reasons[ends] : tools.length > 0 ? 'tool_calls' : 'stop';
  const [prompt_tokens, completion_tokens] = tokens;
  const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
  const tool_calls = tools.map(({ name, input }, index) => ({
    index,
    id: `call_${++calls}`,
    type: 'function',
    function: { name, arguments: argumentsOf(input) },
  }));
  return {
    said: [
      ...(text ?? '').split(/(?<= )/).map((part) => frame({ role: 'assistant', content: part }, null)),
      ...(tool_calls.length > 0 ? [frame({ tool_calls }, null)] : []),
    ],
    end: [frame({}, reason, { usage }), 'data: [DONE]\n\n'],
  };
}

function anthropic({ text, calls: tools = [], ends, tokens = [10, 5] }: Turn): Frames {
  const frame = (type: string, fields: object = {}): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const reasons = { length: 'max_tokens', refusal: 'refusal' };
  const stop_reason = ends ? reasons[ends] : tools.length > 0 ? 'tool_use' : 'end_turn';
  const message = { id: 'm1', type: 'message', role: 'assistant', model: 'm', content: [] };
  const usage = { input_tokens: tokens[0], output_tokens: 0 };
  const block = (index: number, content_block: object, delta: object): string[] => [
    frame('content_block_start', { index, content_block }),
    frame('content_block_delta', { index, delta }),
    frame('content_block_stop', { index }),
  ];
  const ofText = text ? block(0, { type: 'text', text: '' }, { type: 'text_delta', text }) : [];
  const ofTools = tools.flatMap(({ name, input }, place) => {
    const use = { type: 'tool_use', id: `toolu_${++calls}`, name, input: {} };
    return block(place + 1, use, { type: 'input_json_delta', partial_json: argumentsOf(input) });
  });
  return {
    said: [
      frame('message_start', { message: { ...message, stop_reason: null, stop_sequence: null, usage } }),
      ...ofText,
      ...ofTools,
    ],
    end: [
      frame('message_delta', {
        delta: { stop_reason, stop_sequence: null },
        usage: { output_tokens: tokens[1] },
      }),
      frame('message_stop'),
    ],
  };
}
