import { SetMetadata } from '@nestjs/common';

import { ProblemError } from '../errors/index.js';
import type { Caller } from './caller.js';
import { DEFAULT_SCOPES } from './default-scopes.js';
import type { Scope } from './scopes.js';

export const CHALLENGE = 'gatehouse:challenge';

/**
 * Marks a route that OAuth opens. A 401 names the document that says where to sign in (RFC 9728). A client needs to
 * know no more than the route's address.
 *
 * @example
 * \@Post('mcp')
 * \@Access({ role: 'guest', kinds: ['agent'] })
 * \@Challenge('/.well-known/oauth-protected-resource/mcp')
 */
export const Challenge = (metadataPath: string): MethodDecorator => SetMetadata(CHALLENGE, metadataPath);

/** What the body of such a 401 says. */
export const SIGN_IN_FIRST =
  'This takes the access token of an app that a person has connected: sign in by OAuth 2.1, as the header WWW-Authenticate says. Personal access tokens and API keys open /v1, not this.';

/** The `WWW-Authenticate` of a 401. `presented`: a token came with the request, which is no good any more. */
export function signInChallenge(metadataUrl: string, presented: boolean): string {
  return challenge({
    ...(presented && { error: 'invalid_token' }),
    scope: DEFAULT_SCOPES.join(' '),
    resource_metadata: metadataUrl,
  });
}

/**
 * A 403 by which a client can ask its person for more: it names what the grant has and what is needed besides, since a
 * client asks for the whole anew.
 */
export function insufficientScope(
  { scopes }: Pick<Caller, 'scopes'>,
  needed: readonly Scope[],
  metadataUrl: string,
): ProblemError {
  const missing = needed.filter((scope) => !scopes?.has(scope));
  const scope = [...new Set([...(scopes ?? []), ...needed])].join(' ');
  return notGranted(missing, { scope, resource_metadata: metadataUrl });
}

/** The same for a route of our own interface: it names what is needed there (RFC 6750). */
export function missingScope(scope: Scope): ProblemError {
  return notGranted([scope], { scope });
}

function notGranted(missing: readonly Scope[], parameters: Record<string, string>): ProblemError {
  const header = challenge({ error: 'insufficient_scope', ...parameters });
  const message = `The credential was not granted the scope ${missing.join(', ')}.`;
  return new ProblemError('forbidden', message, undefined, { 'www-authenticate': header });
}

function challenge(parameters: Record<string, string>): string {
  const texts = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
  return `Bearer ${texts.join(', ')}`;
}
