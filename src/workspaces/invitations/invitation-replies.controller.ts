import { Body, Controller, Get, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiResponse, ApiTags } from '@nestjs/swagger';

import { BrowserSession, UserMeDto } from '../../auth/index.js';
import { Access, Authenticator, SameOriginGuard } from '../../core/access/index.js';
import {
  type GatehouseRequest,
  type GatehouseResponse,
  IdempotentBy,
  OpenedByLink,
} from '../../core/http/index.js';
import { InvitationAcceptanceService } from './invitation-acceptance.service.js';
import { InvitationAcceptance, InvitationOfferDto } from './invitation.dto.js';
import { InvitationRepliesService } from './invitation-replies.service.js';

const CLOSED = 'The invitation was used, declined, taken back or has expired; or the body is not valid.';
const TOO_MANY = { status: 429, description: 'Too many tokens from this address that open nothing.' };

/** What the holder of an invitation's link can do with it. */
@ApiTags('Invitations')
@Controller('v1/invitations/:token')
export class InvitationRepliesController {
  constructor(
    private readonly replies: InvitationRepliesService,
    private readonly acceptance: InvitationAcceptanceService,
    private readonly browser: BrowserSession,
    private readonly authenticator: Authenticator,
  ) {}

  /** Get an invitation by the token of its link */
  @Get()
  @Access('public')
  @ApiOkResponse({ type: InvitationOfferDto })
  @ApiResponse({ status: 400, description: CLOSED })
  @ApiResponse(TOO_MANY)
  get(@Param('token') token: string, @Req() request: GatehouseRequest): Promise<InvitationOfferDto> {
    return this.replies.get(token, request.ip);
  }

  /**
   * Accept an invitation
   * @remarks Where the address has no account, `name` and `password` make one, and the response's cookie signs the person in. Where it has one, send that person's session and no body; where they signed in more than an hour ago: 403 `confirmation_required`.
   */
  @Post('accept')
  @HttpCode(200)
  @Access('public')
  @UseGuards(SameOriginGuard)
  @OpenedByLink('path')
  @IdempotentBy('resource')
  @ApiOkResponse({
    type: UserMeDto,
    headers: { 'set-cookie': { description: "The new account's session.", schema: { type: 'string' } } },
  })
  @ApiResponse({ status: 400, description: CLOSED })
  @ApiResponse({ status: 401, description: 'The address has an account, and nobody is signed in.' })
  @ApiResponse({
    status: 403,
    description:
      "Somebody else is signed in, a page of another site asked for it, or the workspace's plan allows no more members.",
  })
  @ApiResponse({ status: 409, description: 'The person is a member already.' })
  @ApiResponse(TOO_MANY)
  async accept(
    @Param('token') token: string,
    @Body() input: InvitationAcceptance,
    @Req() request: GatehouseRequest,
    @Res({ passthrough: true }) reply: GatehouseResponse,
  ): Promise<UserMeDto> {
    const place = this.browser.placeOf(request);
    const signedIn = async () => (await this.authenticator.identify(request))?.caller ?? null;
    const accepted = await this.acceptance.accept(token, input, place, signedIn);
    if (accepted.token !== null) this.browser.begin(accepted.token, reply);
    return accepted.user;
  }

  /** Decline an invitation */
  @Post('decline')
  @HttpCode(200)
  @Access('public')
  @OpenedByLink('path')
  @IdempotentBy('resource')
  @ApiOkResponse({ type: InvitationOfferDto })
  @ApiResponse({ status: 400, description: CLOSED })
  @ApiResponse(TOO_MANY)
  decline(@Param('token') token: string, @Req() request: GatehouseRequest): Promise<InvitationOfferDto> {
    return this.replies.decline(token, request.ip);
  }
}
