import { Body, Controller, Get, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiResponse, ApiTags } from '@nestjs/swagger';

import { BrowserSession, inHeadersOf } from '../auth/index.js';
import { Access, Authenticator, SameOriginGuard } from '../core/access/index.js';
import { Settings } from '../core/config/index.js';
import { Unauthorized } from '../core/errors/index.js';
import type { GatehouseRequest, GatehouseResponse } from '../core/http/index.js';
import { ATTEMPT_SECONDS, BeginSignInService } from './begin-sign-in.service.js';
import { SignInCookie } from './sign-in-cookie.js';
import { SignInStartDto, SignInStartInput, SignInWayListDto } from './sign-in-ways.dto.js';
import { SignInWays } from './sign-in-ways.js';

const SETS_COOKIE = {
  'set-cookie': { description: 'Binds it to this browser.', schema: { type: 'string' as const } },
};

@ApiTags('Sessions')
@Controller('v1/auth/ways')
export class SignInWaysController {
  constructor(
    private readonly ways: SignInWays,
    private readonly signIn: BeginSignInService,
    private readonly browser: BrowserSession,
    private readonly cookie: SignInCookie,
    private readonly authenticator: Authenticator,
    private readonly settings: Settings,
  ) {}

  /**
   * List the ways to sign in besides a password
   * @remarks Companies' providers, of the settings and of extensions.
   */
  @Get()
  @Access('public')
  list(): SignInWayListDto {
    const items = this.ways.all().map(({ id, title }) => ({ id, title }));
    return { items, passwords: this.settings.passwords };
  }

  /**
   * Begin to sign in at a provider
   * @remarks For a browser: it gets a cookie, goes to `redirectTo`, and comes back signed in, within a quarter of an hour. At most 30 times a minute from one address. A provider that cannot be reached is 503. With `confirm`, the provider asks the person anew, and only they come back, to a session that counts as confirmed.
   */
  @Post(':way/start')
  @HttpCode(200)
  @Access('public')
  @UseGuards(SameOriginGuard)
  @ApiOkResponse({ type: SignInStartDto, headers: SETS_COOKIE })
  @ApiResponse({ status: 401, description: 'Nobody is signed in who could confirm it.' })
  @ApiResponse({ status: 403, description: 'A page of another site asked for it.' })
  @ApiResponse({ status: 404, description: 'There is no such way.' })
  @ApiResponse({ status: 429, description: 'Begun too often.' })
  async start(
    @Param('way') way: string,
    @Body() { next = '/', confirm = false }: SignInStartInput,
    @Req() request: GatehouseRequest,
    @Res({ passthrough: true }) reply: GatehouseResponse,
  ): Promise<SignInStartDto> {
    const { address } = this.browser.placeOf(request);
    const wanted = { next, userId: confirm ? await this.signedIn(request) : null };
    const { redirectTo, secret } = await this.signIn.begin(way, wanted, address, inHeadersOf(reply));
    reply.setHeader('set-cookie', this.cookie.set(secret, ATTEMPT_SECONDS));
    return { redirectTo };
  }

  /** @throws Unauthorized */
  private async signedIn(request: GatehouseRequest): Promise<string> {
    const caller = (await this.authenticator.identify(request))?.caller;
    if (caller?.kind !== 'session') throw new Unauthorized('Nobody is signed in who could confirm it.');
    return caller.person!.id;
  }
}
