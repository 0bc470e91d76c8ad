import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBadRequestResponse,
  ApiBody,
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';

import { Access } from '../../core/access/index.js';
import { ForeignRequest, type GatehouseRequest, type GatehouseResponse } from '../../core/http/index.js';
import { HookTakenDto } from '../hook.dto.js';
import { HookReceivingService } from './hook-receiving.service.js';

const TOO_OFTEN = {
  description:
    'Sent too often to this hook, to all hooks of its workspace, or to addresses that there are not.',
};
const NOWHERE = { description: 'There is no such hook, it is switched off, or the request is not verified.' };

/** What strangers send. */
@ApiTags('Hooks')
@Controller('hooks')
export class HookRequestsController {
  constructor(private readonly receiving: HookReceivingService) {}

  /**
   * Send a request to a hook
   * @remarks For whoever has its address. The body is whatever the sender sends, of up to 1 MiB; the hook's `verify` says how it proves where it comes from. What is taken is written down before the response. A sender that names its requests may send one again: within 24 hours it starts nothing. 404 tells nothing: neither whether there is such an address, nor what was not verified.
   */
  @Post(':address')
  @Access('public')
  @HttpCode(202)
  @ForeignRequest()
  @ApiBody({ required: false, schema: { description: 'Whatever the sender sends.' } })
  @ApiAcceptedResponse({ type: HookTakenDto, description: 'It is taken.' })
  @ApiOkResponse({
    schema: { description: 'Any JSON.' },
    description: "The script's output where the hook says `respond`, or the challenge of a handshake.",
  })
  @ApiBadRequestResponse({ description: 'The request is verified, and is not what its `Content-Type` says.' })
  @ApiConflictResponse({
    description: 'A script sent it, and a chain of runs that start each other would go on for too long.',
  })
  @ApiNotFoundResponse(NOWHERE)
  @ApiTooManyRequestsResponse(TOO_OFTEN)
  async receive(
    @Param('address') address: string,
    @Req() request: GatehouseRequest,
    @Res({ passthrough: true }) reply: GatehouseResponse,
  ): Promise<unknown> {
    const { status, body } = await this.receiving.receive(request, reply, address);
    reply.status(status);
    return body;
  }

  /** Answer what a sender asks an address before it sends there (Meta) */
  @Get(':address')
  @Access('public')
  @ForeignRequest()
  @ApiOkResponse({
    description: 'The challenge.',
    content: { 'text/plain': { schema: { type: 'string' } } },
  })
  @ApiNotFoundResponse(NOWHERE)
  @ApiTooManyRequestsResponse(TOO_OFTEN)
  async greet(
    @Param('address') address: string,
    @Req() request: GatehouseRequest,
    @Res({ passthrough: true }) reply: GatehouseResponse,
  ): Promise<string> {
    const challenge = await this.receiving.greet(request, reply, address);
    reply.setHeader('x-content-type-options', 'nosniff');
    return challenge;
  }
}
