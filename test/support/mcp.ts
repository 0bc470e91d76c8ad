import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { type Answer, createClient, type Json } from '../../libs/testing/index.js';
import { baseUrl, client } from './gatehouse.js';

export const VERSIONS = ['2025-11-25', '2026-07-28'] as const;
export type McpVersion = (typeof VERSIONS)[number];

export interface McpClientOptions {
  version?: McpVersion;
  capabilities?: ClientOptions['capabilities'];
  headers?: Record<string, string>;
  url?: string;
}

/** The official client, which is not connected yet. */
export function clientOf(version: McpVersion, capabilities?: ClientOptions['capabilities']): Client {
  return new Client(
    { name: 'test', version: '1' },
    {
      ...(capabilities && { capabilities }),
      ...(version === '2026-07-28' && { versionNegotiation: { mode: { pin: version } } }),
    },
  );
}

/** The official client, with an agent's token. */
export async function mcpClient(token: string, options: McpClientOptions = {}): Promise<Client> {
  const { version = '2026-07-28', capabilities, headers, url = baseUrl() } = options;
  const mcp = clientOf(version, capabilities);
  const requestInit = { headers: { authorization: `Bearer ${token}`, ...headers } };
  await mcp.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
  return mcp;
}

/** The text of a result, and what it says for programs. */
export function said(result: Json): { text: string; structured: Json; isError: boolean; links: Json[] } {
  const content = result.content as Json[];
  return {
    text: content.find(({ type }) => type === 'text')?.text as string,
    structured: result.structuredContent as Json,
    isError: result.isError === true,
    links: content.filter(({ type }) => type === 'resource_link'),
  };
}

/** One message of the version 2026-07-28, as it goes over the wire. */
export function post(
  token: string | null,
  message: Json,
  {
    capabilities = {},
    headers = {},
    version = '2026-07-28',
    url,
  }: {
    capabilities?: object;
    headers?: Record<string, string>;
    version?: string;
    url?: string;
  } = {},
): Promise<Answer> {
  const { method, params = {} } = message;
  const named = params.name ?? params.uri ?? params.taskId;
  const body = messageOf(method, params, { capabilities, version });
  const options = token === null ? {} : { token };
  const api = url === undefined ? client(options) : createClient({ baseUrl: url, ...options });
  return api.post('/mcp', body, {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': version,
    'mcp-method': method as string,
    ...(named !== undefined && { 'mcp-name': named as string }),
    ...headers,
  });
}

/** As a client of the newer version sends it: with what it is and what it can do. */
function messageOf(
  method: string,
  params: Json,
  { capabilities = {}, version = '2026-07-28' }: { capabilities?: object; version?: string } = {},
): object {
  const client = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { ...client, ...params._meta } } };
}

/** A response that tells of changes. */
export interface Listening {
  /** The next message. */
  next(): Promise<Json>;
  /** Resolves when the service has ended it. */
  ended: Promise<void>;
  close(): void;
}

export async function listen(token: string, url = baseUrl()): Promise<Listening> {
  const stop = new AbortController();
  const response = await fetch(new URL('/mcp', url), {
    method: 'POST',
    signal: stop.signal,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    },
    body: JSON.stringify(messageOf('subscriptions/listen', { notifications: { toolsListChanged: true } })),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const told: Json[] = [];
  let wake = (): void => undefined;
  const ended = (async (): Promise<void> => {
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const frames = text.split('\n\n');
      text = frames.pop()!;
      for (const frame of frames) {
        const data = /^data: (.*)$/m.exec(frame)?.[1];
        if (data !== undefined) told.push(JSON.parse(data));
      }
      wake();
    }
  })().catch(() => undefined);
  const next = async (): Promise<Json> => {
    while (told.length === 0) await new Promise<void>((done) => (wake = done));
    return told.shift();
  };
  return { next, ended, close: () => stop.abort() };
}
