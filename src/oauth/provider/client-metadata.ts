import { errors } from 'oidc-provider';

import { isLoopbackHost } from '../../core/config/index.js';

/** What of an app's description is kept. The rest is neither needed nor shown: no logo of a stranger is ever loaded. */
const KEPT = new Set([
  'client_id',
  'client_id_issued_at',
  'client_name',
  'client_secret',
  'client_secret_expires_at',
  'client_uri',
  'grant_types',
  'jwks',
  'jwks_uri',
  'redirect_uris',
  'response_types',
  'token_endpoint_auth_method',
  'token_endpoint_auth_signing_alg',
]);
/** Apps are written for every service that they may meet, and list what only some of these know. */
const KNOWN: Record<string, readonly string[]> = {
  grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
  response_types: ['code'],
};
const MOST_BYTES = 16_384;
/** Keys are the deepest that there is: `jwks.keys[].x5c[]`. */
const MOST_DEPTH = 8;
const MOST_REDIRECT_URIS = 20;
const MOST_NAME_CHARACTERS = 200;
const MOST_URI_CHARACTERS = 2048;

/** Schemes that mean something to a browser or a system already: no program of somebody's own listens there. */
const OTHERS_SCHEMES =
  /^(?:about|android-app|blob|chrome.*|data|edge|file|filesystem|ftps?|intent|jar|javascript|mailto|market|moz-.*|ms-.*|resource|search-ms|sms|ssh|telnet|tel|vbscript|view-source|wss?|x-apple.*):$/;

type Metadata = Record<string, unknown>;

/**
 * What an app says of itself, by its own document, at its registration or by the operator, as the library is to take it.
 *
 * @throws errors.InvalidClientMetadata
 */
export function adaptClientMetadata(metadata: Metadata): void {
  for (const name of Object.keys(metadata)) if (!KEPT.has(name)) delete metadata[name];
  for (const [name, known] of Object.entries(KNOWN)) keepKnown(metadata, name, known);
  // Nobody who keeps no secret is given one.
  if (metadata['token_endpoint_auth_method'] === 'none') {
    delete metadata['client_secret'];
    delete metadata['client_secret_expires_at'];
  }
  assertBounded(metadata);
  metadata['application_type'] = typeFor(redirectUrisOf(metadata));
}

/** Those that there are, where one of them is. */
function keepKnown(metadata: Metadata, name: string, known: readonly string[]): void {
  const given = metadata[name];
  if (!Array.isArray(given)) return;
  const kept = given.filter((one) => known.includes(one as string));
  if (kept.length > 0) metadata[name] = kept;
}

/** Without recursion, which is what it guards against. */
function isTooDeep(metadata: Metadata): boolean {
  let level: unknown[] = [metadata];
  for (let depth = 0; depth < MOST_DEPTH && level.length > 0; depth++)
    level = level
      .filter((value) => typeof value === 'object' && value !== null)
      .flatMap((value) => Object.values(value));
  return level.length > 0;
}

function assertBounded(metadata: Metadata): void {
  if (isTooDeep(metadata))
    throw new errors.InvalidClientMetadata(`the metadata must be nested at most ${MOST_DEPTH} levels deep`);
  const { client_name: name, client_uri: uri } = metadata;
  if (typeof name === 'string' && name.length > MOST_NAME_CHARACTERS)
    throw new errors.InvalidClientMetadata(
      `client_name must have at most ${MOST_NAME_CHARACTERS} characters`,
    );
  if (typeof uri === 'string' && uri.length > MOST_URI_CHARACTERS)
    throw new errors.InvalidClientMetadata(`client_uri must have at most ${MOST_URI_CHARACTERS} characters`);
  if (Buffer.byteLength(JSON.stringify(metadata)) > MOST_BYTES)
    throw new errors.InvalidClientMetadata(`the metadata must have at most ${MOST_BYTES} bytes`);
}

function redirectUrisOf({ redirect_uris: uris }: Metadata): URL[] {
  // What is no list of texts is refused by the library.
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string')) return [];
  if (uris.length > MOST_REDIRECT_URIS) throw refused(`there may be at most ${MOST_REDIRECT_URIS}`);
  return uris.map((uri) => redirectUri(uri));
}

function redirectUri(uri: string): URL {
  const url = URL.parse(uri);
  if (!url || uri.length > MOST_URI_CHARACTERS || !/^[\x21-\x7e]+$/.test(uri) || uri.includes('\\'))
    throw refused('each must be an absolute URI');
  if (url.username !== '' || url.password !== '') throw refused('none may have a user or a password in it');
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname))
    throw refused('http: is for this computer alone (localhost, 127.0.0.1, [::1]); use https:');
  if (OTHERS_SCHEMES.test(url.protocol)) throw refused(`the scheme ${url.protocol} is none of an app's own`);
  return url;
}

/**
 * Programs on a person's computer listen on a port of the moment, or at a scheme of their own (RFC 8252). The library
 * takes these only of those that say they are such programs, and few do.
 */
function typeFor(uris: readonly URL[]): 'native' | 'web' {
  return uris.every(({ protocol }) => protocol === 'https:') ? 'web' : 'native';
}

function refused(why: string): Error {
  // By this beginning the library knows which error of the protocol it is.
  return new errors.InvalidClientMetadata(`redirect_uris: ${why}`);
}
