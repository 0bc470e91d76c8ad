import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';

import { Settings } from '../config/index.js';
import { Forbidden } from '../errors/index.js';
import { type GatehouseRequest, singleHeader } from '../http/index.js';

/**
 * A page of another site may make a browser send our cookie along; it cannot hide where it comes from. Clients that are
 * not browsers send no such headers, and no foreign page steers them. For public routes that sign somebody in or act
 * in a person's name; what is asked for with a session is checked by `CredentialCheck`.
 */
@Injectable()
export class SameOriginGuard implements CanActivate {
  private readonly origin: string;

  constructor({ baseUrl }: Settings) {
    this.origin = new URL(baseUrl).origin;
  }

  canActivate(context: ExecutionContext): boolean {
    this.check(context.switchToHttp().getRequest<GatehouseRequest>());
    return true;
  }

  /** @throws Forbidden */
  check(request: GatehouseRequest): void {
    const origin = singleHeader(request, 'origin');
    const site = singleHeader(request, 'sec-fetch-site');
    const foreign =
      origin === null
        ? site !== null && site !== 'same-origin' && site !== 'none'
        : origin !== this.origin && origin !== `${request.protocol}://${request.headers.host}`;
    if (foreign)
      throw new Forbidden('This change was asked for by a page of another site (see the Origin header).');
  }
}
