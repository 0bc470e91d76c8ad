import { Injectable } from '@nestjs/common';

import {
  LateBodyCheck,
  type AccessRequest,
  EnvironmentCallerResolver,
  insufficientScope,
  LiveResponses,
  rememberedOf,
  type Scope,
  type WorkspaceCaller,
} from '../core/access/index.js';
import { Settings } from '../core/config/index.js';
import { Forbidden } from '../core/errors/index.js';
import { type GatehouseResponse, singleHeader, whenOver } from '../core/http/index.js';
import { ResourcesService, ToolsService } from '../tools/index.js';
import { McpCancellations } from './mcp-cancellations.js';
import { type McpCall, paramsOf, type RpcMessage } from './mcp-call.js';
import { McpHandler } from './mcp-handler.js';
import { NotAMessage, readMessage } from './read-message.js';

/** Where clients find out who lets them in (RFC 9728). */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource/mcp';

/** What has to happen to a message before the protocol's own rules apply, which `McpHandler` knows. */
@Injectable()
export class McpEndpoint {
  private readonly hostname: string;
  private readonly metadataUrl: string;

  constructor(
    private readonly handler: McpHandler,
    private readonly tools: ToolsService,
    private readonly resources: ResourcesService,
    private readonly cancellations: McpCancellations,
    private readonly environments: EnvironmentCallerResolver,
    private readonly live: LiveResponses,
    private readonly lateBodyCheck: LateBodyCheck,
    { baseUrl }: Settings,
  ) {
    this.hostname = new URL(baseUrl).hostname;
    this.metadataUrl = `${baseUrl}${RESOURCE_METADATA}`;
  }

  async serve(request: AccessRequest, reply: GatehouseResponse): Promise<void> {
    this.assertOwnPage(request);
    acceptEither(request);
    const message = await this.read(request, reply);
    if (!message) return;
    await this.lateBodyCheck.afterBody(request);
    const caller = overMcp(request.workspaceCaller!);
    this.assertGranted(caller, message);
    switch (message['method']) {
      case 'notifications/cancelled':
        await this.cancellations.tell(caller.credentialId, paramsOf(message)['requestId']);
        reply.status(202).end();
        return;
      case 'subscriptions/listen':
        return this.listen(caller, request, reply, message);
      default:
        return this.respond(caller, request, reply, message);
    }
  }

  /** A page of another site cannot hide where it comes from, not even by DNS rebinding. */
  private assertOwnPage(request: AccessRequest): void {
    const origin = singleHeader(request, 'origin');
    if (origin === null) return;
    if (URL.canParse(origin) && new URL(origin).hostname === this.hostname) return;
    throw new Forbidden('Pages of other sites may not use this (see the Origin header).');
  }

  /** null: it was none, and the client has been told. */
  private async read(request: AccessRequest, reply: GatehouseResponse): Promise<RpcMessage | null> {
    try {
      return await readMessage(request);
    } catch (error) {
      if (!(error instanceof NotAMessage)) throw error;
      reply.status(400).json(error.response);
      return null;
    }
  }

  /** Refused by HTTP, since that makes clients ask their person for more. */
  private assertGranted(caller: WorkspaceCaller, message: RpcMessage): void {
    const needed = this.scopesOf(message);
    if (needed.every((scope) => caller.scopes?.has(scope))) return;
    throw insufficientScope(caller, needed, this.metadataUrl);
  }

  private scopesOf(message: RpcMessage): readonly Scope[] {
    const { name, uri } = paramsOf(message);
    switch (message['method']) {
      case 'tools/call':
        return typeof name === 'string' ? this.tools.scopesOf(name) : [];
      case 'resources/read':
        return typeof uri === 'string' ? this.resources.scopesOf(uri) : [];
      case 'tasks/get':
        return this.tools.scopesOf('get_run');
      case 'tasks/cancel':
        return this.tools.scopesOf('cancel_run');
      default:
        return [];
    }
  }

  private respond(
    caller: WorkspaceCaller,
    request: AccessRequest,
    reply: GatehouseResponse,
    message: RpcMessage,
  ): Promise<void> {
    return this.cancellations.during(caller.credentialId, message['id'], (cancelled) =>
      this.handler.handle(this.callOf(caller, request, message, cancelled), request, reply),
    );
  }

  private async listen(
    caller: WorkspaceCaller,
    request: AccessRequest,
    reply: GatehouseResponse,
    message: RpcMessage,
  ): Promise<void> {
    const live = this.live.open(request);
    whenOver(reply, () => live.close());
    const call = this.callOf(caller, request, message, live.ended);
    await this.handler.listen(call, request, reply, live.ended);
  }

  private callOf(
    caller: WorkspaceCaller,
    request: AccessRequest,
    message: RpcMessage,
    cancelled: AbortSignal,
  ): McpCall {
    const enter = async (environment: string): Promise<WorkspaceCaller> =>
      overMcp(await this.environments.enter(request, environment));
    const credential = rememberedOf(request);
    return { caller, enter, credential, message, requestId: request.id, cancelled };
  }
}

/** A model acts, whatever the credential. So the policies for agents hold what a token or a key starts here, too. */
function overMcp(caller: WorkspaceCaller): WorkspaceCaller {
  return { ...caller, overMcp: true };
}

/** `Accept: *\/*`, or none, takes JSON and a stream (RFC 9110, 12.5.1). The SDK looks for the two by name. */
function acceptEither(request: AccessRequest): void {
  const accept = singleHeader(request, 'accept');
  if (accept === null || accept.includes('*/*'))
    request.headers.accept = 'application/json, text/event-stream';
}
