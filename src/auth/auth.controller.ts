import { Body, Controller, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiResponse, ApiTags } from '@nestjs/swagger';

import { Access, CalledBy, type Caller, SameOriginGuard } from '../core/access/index.js';
import { SecondFactorRequired } from '../core/errors/index.js';
import {
  type GatehouseRequest,
  type GatehouseResponse,
  IdempotentBy,
  OpenedByLink,
} from '../core/http/index.js';
import {
  ConfirmationInput,
  LoginInput,
  PasswordChangeInput,
  PasswordForgottenInput,
  PasswordResetInput,
} from './auth.dto.js';
import { BrowserSession } from './browser-session.js';
import { ConfirmationService } from './confirmation.service.js';
import { ConfirmationAttemptGuard } from './confirmation-attempt.guard.js';
import { CHALLENGE_SECONDS } from './factors/factor-challenges.service.js';
import { FactorCookie } from './factors/factor-cookie.js';
import { PasskeyOptionsDto } from './factors/second-factors.dto.js';
import { PasswordAttemptGuard } from './password-attempt.guard.js';
import { PasswordChangeService } from './password-change.service.js';
import { PasswordResetService } from './password-reset.service.js';
import { PasswordsGuard } from './passwords.guard.js';
import { inHeadersOf } from './rate-report.js';
import { SessionsService } from './sessions.service.js';
import { SignInService } from './sign-in.service.js';
import { UserMeDto } from './user.dto.js';
import { UsersService } from './users.service.js';

const BINDS = {
  'set-cookie': { description: 'Binds it to this browser.', schema: { type: 'string' as const } },
};
const SETS_COOKIE = { 'set-cookie': { description: 'The session.', schema: { type: 'string' as const } } };

@ApiTags('Sessions')
@Controller('v1/auth')
export class AuthController {
  constructor(
    private readonly browser: BrowserSession,
    private readonly signIn: SignInService,
    private readonly sessions: SessionsService,
    private readonly passwords: PasswordChangeService,
    private readonly confirmation: ConfirmationService,
    private readonly factorCookie: FactorCookie,
    private readonly resets: PasswordResetService,
    private readonly users: UsersService,
  ) {}

  /**
   * Sign in
   * @remarks Sets the session cookie, which is good for 30 days. For an account with a second factor the right password gets 403 `second_factor_required` and no session: the second step follows within five minutes, in the browser with the cookie of that response, at `POST /v1/auth/second-factor`. A wrong password and an unknown address get the same 401. At most 5 tries a minute for an account from one address and 30 from all: 429 with `Retry-After`. An address that has failed at nothing lately is let in with the right password all the same. Addresses count as /64 in IPv6.
   */
  @Post('login')
  @HttpCode(200)
  @Access('public')
  @UseGuards(SameOriginGuard, PasswordsGuard)
  @ApiOkResponse({ type: UserMeDto, headers: SETS_COOKIE })
  @ApiResponse({ status: 401, description: 'The e-mail address or the password is wrong.' })
  @ApiResponse({
    status: 403,
    description: 'A page of another site asked for it, passwords are off, or the second step is due.',
  })
  @ApiResponse({ status: 429, description: 'Too many tries of a password.' })
  async login(
    @Body() input: LoginInput,
    @Req() request: GatehouseRequest,
    @Res({ passthrough: true }) reply: GatehouseResponse,
  ): Promise<UserMeDto> {
    const entered = await this.signIn.login(input, this.browser.placeOf(request), inHeadersOf(reply));
    if ('secondStep' in entered) {
      throw new SecondFactorRequired(this.factorCookie.set(entered.secondStep, CHALLENGE_SECONDS));
    }
    this.browser.begin(entered.token, reply);
    return entered.user;
  }

  /**
   * Sign out
   * @remarks Ends this session and takes its cookie away.
   */
  @Post('logout')
  @HttpCode(204)
  @Access('session')
  @ApiNoContentResponse({ headers: SETS_COOKIE })
  async logout(
    @CalledBy() caller: Caller,
    @Res({ passthrough: true }) reply: GatehouseResponse,
  ): Promise<void> {
    await this.sessions.close(caller);
    this.browser.end(reply);
  }

  /** Who is signed in */
  @Get('session')
  @Access('session')
  session(@CalledBy() caller: Caller): Promise<UserMeDto> {
    return this.users.me(caller);
  }

  /**
   * Give one's password again
   * @remarks Renews the sign-in of this session, for an hour: whatever hands out a credential or a role in the app needs one that is not older. An account with a second factor gives a code besides the password, or a passkey instead of both. Who has no password signs in at their company's provider again. A wrong password is 400 at `password`, a wrong code 400 at `code`. At most 5 tries a minute from one address and 30 from all, and 60 an hour where a code can be given.
   */
  @Post('confirm')
  @HttpCode(204)
  @Access('session')
  @UseGuards(PasswordsGuard, ConfirmationAttemptGuard)
  confirm(
    @CalledBy() caller: Caller,
    @Body() input: ConfirmationInput,
    @Req() request: GatehouseRequest,
  ): Promise<void> {
    return this.confirmation.confirm(caller, input, this.factorCookie.read(request));
  }

  /**
   * Ask for what a passkey has to sign, to confirm with it
   * @remarks Good for five minutes and once, in the browser with the cookie of the response. 409 for an account without a passkey.
   */
  @Post('confirm/options')
  @HttpCode(200)
  @Access('session')
  @UseGuards(PasswordsGuard, PasswordAttemptGuard)
  @ApiOkResponse({ type: PasskeyOptionsDto, headers: BINDS })
  async confirmOptions(
    @CalledBy() caller: Caller,
    @Res({ passthrough: true }) reply: GatehouseResponse,
  ): Promise<PasskeyOptionsDto> {
    const { secret, begun } = await this.confirmation.begin(caller);
    reply.setHeader('set-cookie', this.factorCookie.set(secret, CHALLENGE_SECONDS));
    return begun;
  }

  /**
   * Change one's password
   * @remarks Ends the person's other sessions; tokens stay. With a second factor it takes a sign-in of the last hour: 403 `confirmation_required`. Counts as a try of the password, as signing in does.
   */
  @Post('password')
  @HttpCode(204)
  @Access('session')
  @UseGuards(PasswordsGuard, PasswordAttemptGuard)
  changePassword(@CalledBy() caller: Caller, @Body() input: PasswordChangeInput): Promise<void> {
    return this.passwords.change(caller, input);
  }

  /**
   * Ask for a new password
   * @remarks Mails a link that works once, within an hour, and at most one such mail a minute. The response and its time are the same for an address without an account, and where Gatehouse has no server to send mail by: there the operator sets a new password with `npm run admin -- reset-password`. At most 5 times a minute for an account from one address and 30 from all.
   */
  @Post('forgot')
  @HttpCode(204)
  @Access('public')
  @UseGuards(SameOriginGuard, PasswordsGuard)
  @ApiResponse({ status: 403, description: 'A page of another site asked for it, or passwords are off.' })
  @ApiResponse({ status: 429, description: 'Asked for too often.' })
  forgot(
    @Body() input: PasswordForgottenInput,
    @Req() request: GatehouseRequest,
    @Res({ passthrough: true }) reply: GatehouseResponse,
  ): Promise<void> {
    return this.resets.forgot(input, this.browser.placeOf(request).address, inHeadersOf(reply));
  }

  /**
   * Choose a new password with a mailed link
   * @remarks Ends all of the person's sessions and makes their other links useless; tokens stay, unless nobody has shown before that the address is theirs: then tokens and connected apps end as well. A used, expired or unknown token is 400 at `token`. Nobody is signed in by it.
   */
  @Post('reset')
  @HttpCode(204)
  @Access('public')
  @UseGuards(SameOriginGuard, PasswordsGuard)
  @OpenedByLink('body')
  @IdempotentBy('resource')
  @ApiResponse({ status: 403, description: 'A page of another site asked for it, or passwords are off.' })
  @ApiResponse({ status: 429, description: 'Too many tries.' })
  reset(
    @Body() input: PasswordResetInput,
    @Req() request: GatehouseRequest,
    @Res({ passthrough: true }) reply: GatehouseResponse,
  ): Promise<void> {
    return this.resets.reset(input, this.browser.placeOf(request).address, inHeadersOf(reply));
  }
}
