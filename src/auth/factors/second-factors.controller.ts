import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';

import { Access, CalledBy, type Caller, NeedsConfirmation } from '../../core/access/index.js';
import type { GatehouseRequest, GatehouseResponse } from '../../core/http/index.js';
import { PasswordAttemptGuard } from '../password-attempt.guard.js';
import { CHALLENGE_SECONDS } from './factor-challenges.service.js';
import { FactorCookie } from './factor-cookie.js';
import {
  AuthenticatorConfirmInput,
  AuthenticatorOfferDto,
  FactorAddedDto,
  PasskeyAddedDto,
  PasskeyInput,
  PasskeyOptionsDto,
  RecoveryCodesDto,
  SecondFactorsDto,
} from './second-factors.dto.js';
import { SecondFactorsService } from './second-factors.service.js';

const BINDS = {
  'set-cookie': { description: 'Binds it to this browser.', schema: { type: 'string' as const } },
};

@ApiTags('Account')
@Controller('v1/account/second-factors')
export class SecondFactorsController {
  constructor(
    private readonly factors: SecondFactorsService,
    private readonly cookie: FactorCookie,
  ) {}

  /** List one's second factors */
  @Get()
  @Access('session')
  list(@CalledBy() caller: Caller): Promise<SecondFactorsDto> {
    return this.factors.list(caller);
  }

  /**
   * Begin to set up an app for codes
   * @remarks It counts once a code of it was given: `POST /v1/account/second-factors/authenticator/confirm`. 409 where there is one already, and for an account without a password.
   */
  @Post('authenticator')
  @HttpCode(200)
  @Access('session')
  @NeedsConfirmation()
  beginAuthenticator(@CalledBy() caller: Caller): Promise<AuthenticatorOfferDto> {
    return this.factors.beginAuthenticator(caller);
  }

  /**
   * Give the first code of the app that is being set up
   * @remarks From then on it is asked for when one signs in. With the first factor the other sessions end, and recovery codes are made. A wrong code is 400 at `code`.
   */
  @Post('authenticator/confirm')
  @HttpCode(200)
  @Access('session')
  @NeedsConfirmation()
  @UseGuards(PasswordAttemptGuard)
  addAuthenticator(
    @CalledBy() caller: Caller,
    @Body() { code }: AuthenticatorConfirmInput,
  ): Promise<FactorAddedDto> {
    return this.factors.addAuthenticator(caller, code);
  }

  /**
   * Remove the app for codes
   * @remarks With the last factor the recovery codes go, too.
   */
  @Delete('authenticator')
  @HttpCode(204)
  @ApiNotFoundResponse({ description: 'There is no such app.' })
  @Access('session')
  @NeedsConfirmation()
  removeAuthenticator(@CalledBy() caller: Caller): Promise<void> {
    return this.factors.removeAuthenticator(caller);
  }

  /**
   * Begin to add a passkey
   * @remarks Good for five minutes and once, in the browser with the cookie of the response. 409 for an account without a password, or with 20 passkeys.
   */
  @Post('passkeys/options')
  @HttpCode(200)
  @Access('session')
  @NeedsConfirmation()
  @ApiOkResponse({ type: PasskeyOptionsDto, headers: BINDS })
  async beginPasskey(
    @CalledBy() caller: Caller,
    @Res({ passthrough: true }) reply: GatehouseResponse,
  ): Promise<PasskeyOptionsDto> {
    const { secret, begun } = await this.factors.beginPasskey(caller);
    reply.setHeader('set-cookie', this.cookie.set(secret, CHALLENGE_SECONDS));
    return begun;
  }

  /**
   * Add a passkey
   * @remarks It signs in by itself, and is the second step after a password. With the first factor the other sessions end, and recovery codes are made.
   */
  @Post('passkeys')
  @Access('session')
  @NeedsConfirmation()
  addPasskey(
    @CalledBy() caller: Caller,
    @Body() input: PasskeyInput,
    @Req() request: GatehouseRequest,
  ): Promise<PasskeyAddedDto> {
    return this.factors.addPasskey(caller, input, this.cookie.read(request));
  }

  /**
   * Remove a passkey
   * @remarks With the last factor the recovery codes go, too.
   */
  @Delete('passkeys/:id')
  @HttpCode(204)
  @Access('session')
  @NeedsConfirmation()
  removePasskey(@CalledBy() caller: Caller, @Param('id') id: string): Promise<void> {
    return this.factors.removePasskey(caller, id);
  }

  /**
   * Make new recovery codes
   * @remarks In place of those that there were. 409 for an account without a second factor.
   */
  @Post('recovery-codes')
  @HttpCode(200)
  @Access('session')
  @NeedsConfirmation()
  renewRecoveryCodes(@CalledBy() caller: Caller): Promise<RecoveryCodesDto> {
    return this.factors.renewRecoveryCodes(caller);
  }
}
