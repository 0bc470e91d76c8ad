import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import type { Answer, Json } from '../../libs/testing/index.js';
import { baseUrl, client } from './gatehouse.js';

export const VERSIONS = ['2025-11-25', '2026-07-28'] as const;
export type McpVersion = (typeof VERSIONS)[number];

export interface McpClientOptions {
  version?: McpVersion;
  capabilities?: ClientOptions['capabilities'];
  headers?: Record<string, string>;
  url?: string;
}

/** The official client, with an agent's token. */
export async function mcpClient(token: string, options: McpClientOptions = {}): Promise<Client> {
  const { version = '2026-07-28', capabilities, headers, url = baseUrl() } = options;
  const mcp = new Client(
    { name: 'test', version: '1' },
    {
      ...(capabilities && { capabilities }),
      ...(version === '2026-07-28' && { versionNegotiation: { mode: { pin: version } } }),
    },
  );
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
  }: {
    capabilities?: object;
    headers?: Record<string, string>;
    version?: string;
  } = {},
): Promise<Answer> {
  const { method, params = {} } = message;
  const named = params.name ?? params.uri ?? params.taskId;
  const body = {
    jsonrpc: '2.0',
    id: 1,
    ...message,
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': version,
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': capabilities,
        ...params._meta,
      },
    },
  };
  return client(token === null ? {} : { token }).post('/mcp', body, {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': version,
    'mcp-method': method as string,
    ...(named !== undefined && { 'mcp-name': named as string }),
    ...headers,
  });
}
