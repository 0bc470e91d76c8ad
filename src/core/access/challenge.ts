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
 * \@Access({ scope: 'mcp', role: 'guest', kinds: ['agent', 'api_key'], reach: 'own' })
 * \@Challenge('/.well-known/oauth-protected-resource/mcp')
 */
export const Challenge = (metadataPath: string): MethodDecorator => SetMetadata(CHALLENGE, metadataPath);

/** What the body of such a 401 says. */
export const SIGN_IN_FIRST =
  'This takes the access token of an app that a person has connected: sign in by OAuth 2.1, as the header WWW-Authenticate says. Without a person, it takes an API key or a personal access token with the scope mcp.';

/** The `WWW-Authenticate` of a 401 for a credential that has expired (RFC 6750). */
export const EXPIRED_CHALLENGE = 'Bearer error="invalid_token"';

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

/** For a key with scopes, of a route that asks for none: what it was narrowed to does not say that it may. */
export function notOpenToScoped(): ProblemError {
  return tooLittle(
    'This route asks for no scope, and an API key that was narrowed to scopes may not use it.',
    {},
  );
}

function notGranted(missing: readonly Scope[], parameters: Record<string, string>): ProblemError {
  return tooLittle(`The credential was not granted the scope ${missing.join(', ')}.`, parameters);
}

function tooLittle(message: string, parameters: Record<string, string>): ProblemError {
  const header = challenge({ error: 'insufficient_scope', ...parameters });
  return new ProblemError('forbidden', message, undefined, { 'www-authenticate': header });
}

function challenge(parameters: Record<string, string>): string {
  const texts = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
  return `Bearer ${texts.join(', ')}`;
}
