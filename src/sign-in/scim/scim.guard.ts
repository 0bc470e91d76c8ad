import { timingSafeEqual } from 'node:crypto';

import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';

import { type OidcProviderSettings, Settings } from '../../core/config/index.js';
import { hashToken } from '../../core/crypto/index.js';
import { NotFound, Unauthorized } from '../../core/errors/index.js';
import { type GatehouseRequest, singleHeader } from '../../core/http/index.js';
import { RateLimitInterceptor } from '../../core/rate-limit/index.js';

type ScimRequest = GatehouseRequest & { scimProvider?: OidcProviderSettings };

interface Directory {
  provider: OidcProviderSettings;
  tokenHash: Buffer;
}

/** Lets in companies' directories, each by the token of its provider's settings. Without any token there are no such routes. */
@Injectable()
export class ScimGuard implements CanActivate {
  private readonly directories: readonly Directory[];

  constructor(
    { oidc }: Settings,
    private readonly rateLimit: RateLimitInterceptor,
  ) {
    this.directories = oidc.flatMap((provider) =>
      provider.scimToken === null ? [] : { provider, tokenHash: hashToken(provider.scimToken) },
    );
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<ScimRequest>();
    if (this.directories.length === 0) {
      throw new NotFound(`route as ${request.method} ${request.path.slice(0, 200)}`);
    }
    const provider = this.directoryOf(request);
    if (!provider) {
      this.rateLimit.countForAddress(request);
      throw new Unauthorized(
        'This needs `Authorization: Bearer <token>` with the SCIM_TOKEN of the settings.',
      );
    }
    const key = `scim ${provider.id}`;
    this.rateLimit.countForService(request, key);
    request.owner = key;
    request.scimProvider = provider;
    return true;
  }

  /** Each is compared with, so that the time tells nothing. */
  private directoryOf(request: GatehouseRequest): OidcProviderSettings | null {
    const token = /^Bearer +(\S+) *$/i.exec(singleHeader(request, 'authorization') ?? '')?.[1] ?? '';
    const hash = hashToken(token);
    const fitting = this.directories.filter(({ tokenHash }) => timingSafeEqual(hash, tokenHash));
    return fitting[0]?.provider ?? null;
  }
}

/** The provider whose directory sends the request. */
export const FromDirectory = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<ScimRequest>().scimProvider,
);
