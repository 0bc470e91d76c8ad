import type { McpHttpHandler, ServerEventBus } from '@modelcontextprotocol/server';
import { Injectable, Logger } from '@nestjs/common';

import type { AccessRequest } from '../core/access/access-request.js';
import type { GatehouseResponse } from '../core/http/request.js';
import { Lifecycle } from '../core/lifecycle/lifecycle.js';
import type { McpCall } from './mcp-call.js';
import type { McpSdk } from './mcp-sdk.js';
import { McpServers } from './mcp-servers.js';
import { McpSubscriptions } from './mcp-subscriptions.js';

/** Proxies and clients give up on a connection from which nothing comes. */
const KEEP_ALIVE_MS = 15_000;

interface Loaded {
  sdk: McpSdk;
  toNodeHandler: typeof import('@modelcontextprotocol/node').toNodeHandler;
  /** For all messages but those that listen. */
  handler: McpHttpHandler;
}

/** The official SDK, which knows both versions of the protocol. It is loaded by the first message, since it takes a while. */
@Injectable()
export class McpHandler {
  private readonly logger = new Logger(McpHandler.name);
  private loading: Promise<Loaded> | null = null;

  constructor(
    private readonly servers: McpServers,
    private readonly subscriptions: McpSubscriptions,
    private readonly lifecycle: Lifecycle,
  ) {}

  /** Resolves when the response is over. */
  async handle(call: McpCall, request: AccessRequest, reply: GatehouseResponse): Promise<void> {
    const loaded = await this.load();
    await this.serve(loaded, loaded.handler, call, request, reply);
  }

  /** The same for a response that tells of changes until it is ended. The SDK knows no callers, so each has a bus of its own. */
  async listen(call: McpCall, request: AccessRequest, reply: GatehouseResponse): Promise<void> {
    const loaded = await this.load();
    const handler = this.make(loaded.sdk, this.subscriptions.busOf(call.caller.workspace.id));
    const close = (): void => void handler.close();
    const { stopping } = this.lifecycle;
    stopping.addEventListener('abort', close, { once: true });
    await this.serve(loaded, handler, call, request, reply);
    stopping.removeEventListener('abort', close);
  }

  private async serve(
    { toNodeHandler }: Loaded,
    handler: McpHttpHandler,
    call: McpCall,
    request: AccessRequest,
    reply: GatehouseResponse,
  ): Promise<void> {
    const { credentialId: clientId, scopes } = call.caller;
    // Never the token itself: nothing below needs it.
    const auth = { token: '', clientId, scopes: [...(scopes ?? [])], extra: { call } };
    const { onerror } = this;
    await toNodeHandler(handler, { onerror })(Object.assign(request, { auth }), reply, call.message);
  }

  private load(): Promise<Loaded> {
    this.loading ??= Promise.all([
      import('@modelcontextprotocol/server'),
      import('@modelcontextprotocol/node'),
    ]).then(([sdk, { toNodeHandler }]) => {
      const handler = this.make(sdk);
      this.lifecycle.stopping.addEventListener('abort', () => void handler.close(), { once: true });
      return { sdk, toNodeHandler, handler };
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
