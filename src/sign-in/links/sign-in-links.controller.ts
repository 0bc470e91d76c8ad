import { Body, Controller, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiResponse, ApiTags } from '@nestjs/swagger';

import { BrowserSession, inHeadersOf, UserMeDto } from '../../auth/index.js';
import { Access, SameOriginGuard } from '../../core/access/index.js';
import type { GatehouseRequest, GatehouseResponse } from '../../core/http/index.js';
import { SignInLinkUseService } from './sign-in-link-use.service.js';
import { SignInLinkInput } from './sign-in-link.dto.js';

const SETS_COOKIE = { 'set-cookie': { description: 'The session.', schema: { type: 'string' as const } } };

@ApiTags('Sessions')
@Controller('v1/auth')
export class SignInLinksController {
  constructor(
    private readonly links: SignInLinkUseService,
    private readonly browser: BrowserSession,
  ) {}

  /**
   * Sign in with a link of the operator
   * @remarks Whoever runs the service makes it with `npm run admin -- sign-in-link`, for somebody who can sign in no other way. It works once, within 15 minutes, also where passwords are off. A used, expired or unknown token is 400 at `token`.
   */
  @Post('sign-in-link')
  @HttpCode(200)
  @Access('public')
  @UseGuards(SameOriginGuard)
  @ApiOkResponse({ type: UserMeDto, headers: SETS_COOKIE })
  @ApiResponse({ status: 403, description: 'A page of another site asked for it.' })
  @ApiResponse({ status: 429, description: 'Too many tries.' })
  async use(
    @Body() { token }: SignInLinkInput,
    @Req() request: GatehouseRequest,
    @Res({ passthrough: true }) reply: GatehouseResponse,
  ): Promise<UserMeDto> {
    const place = this.browser.placeOf(request);
    const signedIn = await this.links.use(token, place, inHeadersOf(reply));
    this.browser.begin(signedIn.token, reply);
    return signedIn.user;
  }
}
