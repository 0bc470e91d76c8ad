import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { createSafeFetch, type SafeFetch } from '../../libs/egress/index.js';
import { Settings } from '../core/config/index.js';
import { addressGroup, RateLimiter, type RatePolicy } from '../core/rate-limit/index.js';

/** For a page that it does not like, the library asks twice. */
const PER_ADDRESS: RatePolicy = { name: 'client-documents-address', perMinute: 20, burst: 20 };
const IN_ALL: RatePolicy = { name: 'client-documents', perMinute: 120, burst: 120 };
const MOST_URL_CHARACTERS = 2048;
/** The keys of an app that signs its requests; documents themselves are cut at 5 KiB by the library. */
const MOST_RESPONSE_BYTES = 65_536;
const HEADERS_TIMEOUT_MS = 2500;
/** The pages at which apps describe themselves (client id metadata documents): fetched by the safe dialer, and not too often. */
@Injectable()
export class ClientDocumentFetcher implements OnApplicationShutdown {
  private outside: SafeFetch | null = null;

  constructor(
    private readonly settings: Settings,
    private readonly limiter: RateLimiter,
  ) {}

  onApplicationShutdown(): void {
    this.outside?.close();
  }

  /** Whether a page that is not in the cache may be fetched for somebody at that address. */
  async mayFetch(clientId: string, address: string): Promise<boolean> {
    if (!isAcceptable(clientId)) return false;
    const own = await this.limiter.take(addressGroup(address), PER_ADDRESS);
    return own.allowed && (await this.limiter.take('all', IN_ALL)).allowed;
  }

  readonly fetch = async (resource: string | URL | Request, init?: RequestInit): Promise<Response> => {
    this.outside ??= createSafeFetch({
      allow: this.settings.outboundAllow,
      maxResponseBytes: MOST_RESPONSE_BYTES,
      headersTimeoutMs: HEADERS_TIMEOUT_MS,
    });
    return this.outside.fetch(resource, init);
  };
}

/** A page of its own, at an address that means one page only. */
function isAcceptable(clientId: string): boolean {
  if (clientId.length > MOST_URL_CHARACTERS) return false;
  const { pathname, search } = new URL(clientId);
  return pathname !== '/' && search === '';
}
