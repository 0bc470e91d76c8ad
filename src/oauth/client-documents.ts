import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { createSafeFetch, type SafeFetch } from '../../libs/egress/index.js';
import { Settings } from '../core/config/settings.js';
import { addressGroup } from '../core/rate-limit/address-group.js';
import { RateLimiter, type RatePolicy } from '../core/rate-limit/rate-limiter.js';

const PER_ADDRESS: RatePolicy = { name: 'client-documents-address', perMinute: 10, burst: 10 };
const IN_ALL: RatePolicy = { name: 'client-documents', perMinute: 60, burst: 60 };
const MOST_URL_CHARACTERS = 2048;
/** The keys of an app that signs its requests; documents themselves are cut at 5 KiB by the library. */
const MOST_RESPONSE_BYTES = 65_536;
const HEADERS_TIMEOUT_MS = 2500;
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:[/?]|$)/i;

/** The pages at which apps describe themselves (client id metadata documents): fetched by the safe dialer, and not too often. */
@Injectable()
export class ClientDocuments implements OnApplicationShutdown {
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
    const response = await this.outside.fetch(resource, init);
    return response.status === 200 ? withApplicationType(response) : response;
  };
}

/** A page of its own, at an address that means one page only. */
function isAcceptable(clientId: string): boolean {
  if (clientId.length > MOST_URL_CHARACTERS) return false;
  const { pathname, search } = new URL(clientId);
  return pathname !== '/' && search === '';
}

/**
 * Programs on a person's computer listen on a port of the moment (RFC 8252), but few of them say that they are such
 * programs, and the library takes any port only for those.
 */
async function withApplicationType(response: Response): Promise<Response> {
  const text = await response.text();
  const { status, headers } = response;
  return new Response(nativeWhereLoopback(text), { status, headers: withoutLength(headers) });
}

function nativeWhereLoopback(text: string): string {
  try {
    const document = JSON.parse(text) as { application_type?: unknown; redirect_uris?: unknown };
    const { application_type: type, redirect_uris: uris } = document;
    const local = Array.isArray(uris) && uris.some((uri) => typeof uri === 'string' && LOOPBACK.test(uri));
    return type === undefined && local ? JSON.stringify({ ...document, application_type: 'native' }) : text;
  } catch {
    // The library says what is wrong with it.
    return text;
  }
}

function withoutLength(headers: Headers): Headers {
  const rest = new Headers(headers);
  rest.delete('content-length');
  return rest;
}
