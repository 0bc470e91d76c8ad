import { Injectable } from '@nestjs/common';

import { SessionCookie } from '../core/access/index.js';
import { type GatehouseRequest, type GatehouseResponse, singleHeader } from '../core/http/index.js';
import { SESSION_SECONDS, type SignInPlace } from './sessions.service.js';

/** A session as a browser has it: in a cookie. For controllers. */
@Injectable()
export class BrowserSession {
  constructor(private readonly cookie: SessionCookie) {}

  placeOf(request: GatehouseRequest): SignInPlace {
    return {
      address: request.ip,
      userAgent: singleHeader(request, 'user-agent'),
      previousToken: this.cookie.read(request),
    };
  }

  begin(token: string, response: GatehouseResponse): void {
    response.setHeader('set-cookie', this.cookie.set(token, SESSION_SECONDS));
  }

  end(response: GatehouseResponse): void {
    response.setHeader('set-cookie', this.cookie.clear());
  }
}
