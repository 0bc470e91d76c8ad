import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBadRequestResponse,
  ApiBody,
  ApiNotAcceptableResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';

import { Access, type AccessRequest, Challenge, MCP_SCOPE } from '../core/access/index.js';
import { type GatehouseResponse, StreamedBody } from '../core/http/index.js';
import { McpEndpoint, RESOURCE_METADATA } from './mcp-endpoint.js';

const MESSAGE = {
  type: 'object' as const,
  required: ['jsonrpc'],
  properties: {
    jsonrpc: { type: 'string' as const, enum: ['2.0'] },
    method: { type: 'string' as const, maxLength: 200 },
  },
  additionalProperties: true,
};

@ApiTags('Agents')
@Controller()
export class McpController {
  constructor(private readonly endpoint: McpEndpoint) {}

  /**
   * Use the workspace's scripts as tools, by the Model Context Protocol
   *
   * The protocol's Streamable HTTP transport, in its versions 2026-07-28 and 2025-11-25, without sessions. The tools are those of the
   * platform and one for each published script that the caller may run. For apps that a person has connected, and without
   * a person for API keys and personal access tokens with the scope `mcp`. What is started here is held by the policies for
   * agents. The protocol's own errors are in its responses; those of tools carry the codes of this API.
   */
  @Post('mcp')
  @HttpCode(200)
  @Access({ scope: MCP_SCOPE, role: 'guest', kinds: ['agent', 'personal_token', 'api_key'], reach: 'own' })
  @Challenge(RESOURCE_METADATA)
  @StreamedBody()
  @ApiBody({ schema: MESSAGE, description: 'One message of JSON-RPC 2.0.' })
  @ApiOkResponse({
    description: 'The response to the message, or a stream that ends with it.',
    content: { 'application/json': { schema: MESSAGE }, 'text/event-stream': { schema: { type: 'string' } } },
  })
  @ApiAcceptedResponse({ description: 'The message was a notification, which has no response.' })
  @ApiBadRequestResponse({
    description:
      'The request is wrong (`invalid_request`), or is no message of the protocol, says a message of JSON-RPC.',
    content: { 'application/json': { schema: { anyOf: [{ $ref: '#/components/schemas/Error' }, MESSAGE] } } },
  })
  @ApiNotAcceptableResponse({
    description: 'In its version 2025-11-25 the protocol wants an app to take both JSON and a stream.',
    content: { 'application/json': { schema: MESSAGE } },
  })
  @ApiNotFoundResponse({
    description: 'The protocol has no such method, says a message of JSON-RPC.',
    content: { 'application/json': { schema: MESSAGE } },
  })
  handle(@Req() request: AccessRequest, @Res() reply: GatehouseResponse): Promise<void> {
    return this.endpoint.serve(request, reply);
  }
}
