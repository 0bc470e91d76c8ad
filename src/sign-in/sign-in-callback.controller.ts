import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';

import { BrowserSession } from '../auth/index.js';
import { Access } from '../core/access/index.js';
import { ForeignRequest, type GatehouseRequest, type GatehouseResponse } from '../core/http/index.js';
import { FinishSignInService, type Finished } from './finish-sign-in.service.js';
import { SignInCookie } from './sign-in-cookie.js';

/** Where providers send browsers back to. What stands in the query is theirs to say; it is no part of our interface. */
@ApiExcludeController()
@Controller('v1/auth/ways')
export class SignInCallbackController {
  constructor(
    private readonly signIn: FinishSignInService,
    private readonly browser: BrowserSession,
    private readonly cookie: SignInCookie,
  ) {}

  @Get(':way/callback')
  @Access('public')
  @ForeignRequest()
  async callback(
    @Param('way') way: string,
    @Req() request: GatehouseRequest,
    @Res() response: GatehouseResponse,
  ): Promise<void> {
    const { search } = new URL(request.originalUrl, 'http://gatehouse.invalid');
    const place = this.browser.placeOf(request);
    this.send(await this.signIn.finish(way, search, this.cookie.read(request), place), response);
  }

  /** The address that the browser comes from has a code in it, which no other page may learn. */
  private send({ location, token }: Finished, response: GatehouseResponse): void {
    if (token !== null) {
      this.browser.begin(token, response);
      response.appendHeader('set-cookie', this.cookie.clear());
    }
    response.setHeader('cache-control', 'no-store');
    response.setHeader('referrer-policy', 'no-referrer');
    response.redirect(303, location);
  }
}
