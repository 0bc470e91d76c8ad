import type { AuthInfo, McpHttpHandler, ServerEventBus } from '@modelcontextprotocol/server';
import { Injectable, Logger } from '@nestjs/common';

import type { AccessRequest } from '../core/access/index.js';
import type { GatehouseResponse } from '../core/http/index.js';
import { Lifecycle } from '../core/lifecycle/index.js';
import { SampleBus } from './listen-frames.js';
import type { McpCall } from './mcp-call.js';
import type { McpSdk } from './mcp-sdk.js';
import { McpServerFactory } from './mcp-server-factory.js';
import { McpSubscriptions } from './mcp-subscriptions.js';

/** Proxies and clients give up on a connection from which nothing comes. */
const KEEP_ALIVE_MS = 15_000;

type McpNode = typeof import('@modelcontextprotocol/node');

interface Loaded {
  sdk: McpSdk;
  toNodeHandler: McpNode['toNodeHandler'];
  toWebRequest: McpNode['toWebRequest'];
  /** For all messages but those that listen. */
  handler: McpHttpHandler;
}

/** The official SDK, which knows both versions of the protocol. It is loaded by the first message, since it takes a while. */
@Injectable()
export class McpHandler {
  private readonly logger = new Logger(McpHandler.name);
  private loading: Promise<Loaded> | null = null;

  constructor(
    private readonly servers: McpServerFactory,
    private readonly subscriptions: McpSubscriptions,
    private readonly lifecycle: Lifecycle,
  ) {}

  /** Resolves when the response is over. */
  async handle(call: McpCall, request: AccessRequest, reply: GatehouseResponse): Promise<void> {
    const loaded = await this.load();
    await this.serve(loaded, loaded.handler, call, request, reply);
  }

  /** The same for a response that tells of changes, until `ended` or the process ends. It resolves once that has begun. */
  async listen(
    call: McpCall,
    request: AccessRequest,
    reply: GatehouseResponse,
    ended: AbortSignal,
  ): Promise<void> {
    const loaded = await this.load();
    const bus = new SampleBus();
    const handler = this.make(loaded.sdk, bus);
    const webRequest = await loaded.toWebRequest(request, call.message);
    const response = await handler.fetch(webRequest, { authInfo: authOf(call), parsedBody: call.message });
    const frames = await bus.framesOf(handler, response);
    if (!frames) return this.serve(loaded, { fetch: () => Promise.resolve(response) }, call, request, reply);
    const ends = [ended, this.lifecycle.stopping];
    this.subscriptions.open(call.caller.workspace.id, reply, frames, ends);
  }

  private async serve(
    { toNodeHandler }: Loaded,
    handler: Pick<McpHttpHandler, 'fetch'>,
    call: McpCall,
    request: AccessRequest,
    reply: GatehouseResponse,
  ): Promise<void> {
    const { onerror } = this;
    await toNodeHandler(handler, { onerror })(
      Object.assign(request, { auth: authOf(call) }),
      reply,
      call.message,
    );
  }

  private load(): Promise<Loaded> {
    this.loading ??= Promise.all([
      import('@modelcontextprotocol/server'),
      import('@modelcontextprotocol/node'),
    ]).then(([sdk, { toNodeHandler, toWebRequest }]) => {
      const handler = this.make(sdk);
      this.lifecycle.stopping.addEventListener('abort', () => void handler.close(), { once: true });
      return { sdk, toNodeHandler, toWebRequest, handler };
    });
    return this.loading;
  }

  private make(sdk: McpSdk, bus?: ServerEventBus): McpHttpHandler {
    return sdk.createMcpHandler((context) => this.servers.make(sdk, context), {
      keepAliveMs: KEEP_ALIVE_MS,
      onerror: this.onerror,
      ...(bus && { bus }),
    });
  }

  private readonly onerror = (error: Error): void => this.logger.debug(error.message);
}

/** Never the token itself: nothing below needs it. */
function authOf(call: McpCall): AuthInfo {
  const { credentialId: clientId, scopes } = call.caller;
  return { token: '', clientId, scopes: [...(scopes ?? [])], extra: { call } };
}
