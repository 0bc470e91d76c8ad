import { Body, Controller, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiResponse, ApiTags } from '@nestjs/swagger';

import { Access, SameOriginGuard } from '../../core/access/index.js';
import type { GatehouseRequest, GatehouseResponse } from '../../core/http/index.js';
import { BrowserSession } from '../browser-session.js';
import { PasswordsGuard } from '../passwords.guard.js';
import { inHeadersOf } from '../rate-report.js';
import { UserMeDto } from '../user.dto.js';
import type { User } from '../user.entity.js';
import { UsersService } from '../users.service.js';
import { CHALLENGE_SECONDS } from './factor-challenges.service.js';
import { FactorCookie } from './factor-cookie.js';
import { PasskeySignInService } from './passkey-sign-in.service.js';
import {
  PasskeyOptionsDto,
  PasskeyResponseInput,
  SecondFactorInput,
  SecondStepDto,
} from './second-factors.dto.js';
import { SecondStepService } from './second-step.service.js';

const cookie = (description: string) => ({
  'set-cookie': { description, schema: { type: 'string' as const } },
});
const FOREIGN = { status: 403, description: 'A page of another site asked for it.' };

@ApiTags('Sessions')
@Controller('v1/auth')
export class SecondStepController {
  constructor(
    private readonly secondStep: SecondStepService,
    private readonly passkeys: PasskeySignInService,
    private readonly users: UsersService,
    private readonly browser: BrowserSession,
    private readonly cookie: FactorCookie,
  ) {}

  /**
   * What the second step of signing in takes
   * @remarks For the browser in which the password was given: 400 for any other, and after five minutes.
   */
  @Get('second-factor')
  @Access('public')
  describe(@Req() request: GatehouseRequest): Promise<SecondStepDto> {
    return this.secondStep.describe(this.cookie.read(request));
  }

  /**
   * Take the second step of signing in
   * @remarks After `POST /v1/auth/login` with 403 `second_factor_required`, in the same browser. Takes a code of the app, a recovery code or a passkey, each once, and sets the session cookie. What is wrong is 400 at `code` or `passkey`; after five minutes, and in another browser, it is 400 as well. At most 5 tries a minute for an account from one address, and 60 codes of six digits an hour from all.
   */
  @Post('second-factor')
  @HttpCode(200)
  @Access('public')
  @UseGuards(SameOriginGuard, PasswordsGuard)
  @ApiOkResponse({ type: UserMeDto, headers: cookie('The session.') })
  @ApiResponse(FOREIGN)
  @ApiResponse({ status: 429, description: 'Too many tries of a second factor.' })
  async finish(
    @Body() input: SecondFactorInput,
    @Req() request: GatehouseRequest,
    @Res({ passthrough: true }) reply: GatehouseResponse,
  ): Promise<UserMeDto> {
    const place = this.browser.placeOf(request);
    const report = inHeadersOf(reply);
    return this.enter(await this.secondStep.finish(this.cookie.read(request), input, place, report), reply);
  }

  /**
   * Begin to sign in with a passkey alone
   * @remarks Good for five minutes and once, in the browser with the cookie of the response. At most 30 times a minute from one address.
   */
  @Post('passkey/options')
  @HttpCode(200)
  @Access('public')
  @UseGuards(SameOriginGuard, PasswordsGuard)
  @ApiOkResponse({ type: PasskeyOptionsDto, headers: cookie('Binds it to this browser.') })
  @ApiResponse(FOREIGN)
  @ApiResponse({ status: 429, description: 'Begun too often.' })
  async begin(
    @Req() request: GatehouseRequest,
    @Res({ passthrough: true }) reply: GatehouseResponse,
  ): Promise<PasskeyOptionsDto> {
    const { secret, begun } = await this.passkeys.begin(request.ip, inHeadersOf(reply));
    reply.setHeader('set-cookie', this.cookie.set(secret, CHALLENGE_SECONDS));
    return begun;
  }

  /**
   * Sign in with a passkey alone
   * @remarks Its device makes sure of the person, so no password is asked for. Sets the session cookie. For accounts with a password; who has none signs in at their company's provider.
   */
  @Post('passkey')
  @HttpCode(200)
  @Access('public')
  @UseGuards(SameOriginGuard, PasswordsGuard)
  @ApiOkResponse({ type: UserMeDto, headers: cookie('The session.') })
  @ApiResponse({ status: 401, description: 'The passkey opens no account, or was asked for too long ago.' })
  @ApiResponse(FOREIGN)
  @ApiResponse({ status: 429, description: 'Too many tries of a passkey.' })
  async signIn(
    @Body() { passkey }: PasskeyResponseInput,
    @Req() request: GatehouseRequest,
    @Res({ passthrough: true }) reply: GatehouseResponse,
  ): Promise<UserMeDto> {
    const place = this.browser.placeOf(request);
    const report = inHeadersOf(reply);
    return this.enter(await this.passkeys.finish(this.cookie.read(request), passkey, place, report), reply);
  }

  private enter(
    { token, user }: { token: string; user: User },
    reply: GatehouseResponse,
  ): Promise<UserMeDto> {
    this.browser.begin(token, reply);
    reply.appendHeader('set-cookie', this.cookie.clear());
    return this.users.present(user);
  }
}
