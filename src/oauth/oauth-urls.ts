import { Injectable } from '@nestjs/common';

import { Settings } from '../core/config/index.js';

/** Where the authorization server is, what its tokens are for, and which pages people see. */
@Injectable()
export class OAuthUrls {
  readonly issuer: string;
  /** The path under which a proxy serves us, without a slash at its end. */
  readonly basePath: string;
  /** What tokens are for, in the words of RFC 8707. There is one audience: this service. */
  readonly resource: string;

  constructor({ baseUrl }: Settings) {
    this.issuer = baseUrl.replace(/\/+$/, '');
    this.basePath = new URL(this.issuer).pathname.replace(/\/+$/, '');
    this.resource = `${this.issuer}/mcp`;
  }

  endpoint(name: 'authorize' | 'token' | 'revoke' | 'register' | 'device'): string {
    return `${this.issuer}/oauth/${name}`;
  }

  isResource(resource: string): boolean {
    return [this.resource, this.issuer, `${this.issuer}/`].includes(resource);
  }

  /** The console's page on which a person decides about an app's request. */
  consentPage(request: string): string {
    return `${this.basePath}/connect/${encodeURIComponent(request)}`;
  }

  /** Where a person lands whose app has sent a request that cannot be taken. Only the code: an app must not write our page. */
  errorPage(error: string): string {
    return `${this.basePath}/connect/error?${new URLSearchParams({ error }).toString()}`;
  }
}
