import { generateKeyPairSync } from 'node:crypto';

import {
  type Adapter,
  type ClientMetadata,
  type Configuration,
  errors,
  interactionPolicy,
  type JWKS,
  type KoaContextWithOIDC,
} from 'oidc-provider';

import { APP_SCOPES, DEFAULT_SCOPES } from '../../core/access/index.js';
import { ACCESS_TOKEN_SECONDS } from '../../auth/index.js';
import type { ClientDocumentFetcher } from '../client-document-fetcher.js';
import type { OAuthUrls } from '../oauth-urls.js';
import { CLIENT_AUTH_METHODS, CLIENT_SIGNATURES, COMMAND_LINE, newRegisteredId } from '../oauth-clients.js';
import { adaptClientMetadata } from './client-metadata.js';
import { showErrorPage } from './own-pages.js';

const CODE_SECONDS = 60;
const DEVICE_CODE_SECONDS = 600;
const INTERACTION_SECONDS = 3600;
const REFRESH_TOKEN_SECONDS = 30 * 24 * 3600;
/** How far off the end of an app's signature may be: until then it is remembered, so that it is good once. */
const MOST_SIGNATURE_SECONDS = 600;
const MOST_DOCUMENT_BYTES = 5120;
const MOST_KEYS_BYTES = 65_536;

const MUST_BE_ASKED = ['a person must be asked', 'interaction_required'] as const;

export interface ProviderParts {
  urls: OAuthUrls;
  documents: ClientDocumentFetcher;
  adapter: (kind: string) => Adapter;
  registration: boolean;
  secureCookies: boolean;
}

/** What the library is told. Everything that is not needed is switched off. */
export function configurationOf(parts: ProviderParts): Configuration {
  const { urls, documents, adapter, registration } = parts;
  return {
    adapter,
    clients: [COMMAND_LINE as unknown as ClientMetadata],
    scopes: ['offline_access', ...APP_SCOPES],
    responseTypes: ['code'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
    clientAuthMethods: [...CLIENT_AUTH_METHODS],
    // The library calls this for each description of an app, wherever it comes from.
    extraClientMetadata: {
      properties: ['x_gatehouse'],
      validator: (_context, _key, _value, metadata) => adaptClientMetadata(metadata),
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'], clientAuthSigningAlgValues: CLIENT_SIGNATURES },
    assertJwtClientAuthClaimsAndHeader: (_context, { exp }) => assertShortLived(Number(exp)),
    jwks: unusedKeys(),
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      revocation: '/oauth/revoke',
      registration: '/oauth/register',
      device_authorization: '/oauth/device',
      code_verification: '/device',
      jwks: '/oauth/jwks',
    },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    revokeGrantPolicy: () => true,
    allowOmittingSingleRegisteredRedirectUri: false,
    clientBasedCORS: () => false,
    extraParams: { scope: askForDefaults },
    ttl: {
      AccessToken: ACCESS_TOKEN_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      DeviceCode: DEVICE_CODE_SECONDS,
      Grant: REFRESH_TOKEN_SECONDS,
      Interaction: INTERACTION_SECONDS,
      RefreshToken: REFRESH_TOKEN_SECONDS,
      Session: INTERACTION_SECONDS,
    },
    loadExistingGrant: async (context) => {
      const grantId = context.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : context.oidc.provider.Grant.find(grantId);
    },
    findAccount: async (_context, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    interactions: { url: (_context, { uid }) => urls.consentPage(uid), policy: policy() },
    cookies: {
      names: { interaction: 'gatehouse_connect', resume: 'gatehouse_connect_resume', session: 'unused' },
      short: { httpOnly: true, sameSite: 'lax', secure: parts.secureCookies },
    },
    renderError: (context, { error }) => showErrorPage(context, urls, error),
    fetch: documents.fetch,
    fetchResponseBodyLimits: {
      'client_id metadata document': MOST_DOCUMENT_BYTES,
      jwks_uri: MOST_KEYS_BYTES,
      sector_identifier_uri: 0,
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      revocation: { enabled: true },
      deviceFlow: { enabled: true },
      registration: {
        enabled: registration,
        issueRegistrationAccessToken: false,
        idFactory: newRegisteredId,
      },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        cacheDuration: { min: 60, max: 86_400 },
        allowFetch: (context, clientId) => documents.mayFetch(clientId, context.ip),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => urls.resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, resource) => {
          if (!urls.isResource(resource)) throw new errors.InvalidTarget();
          return {
            scope: APP_SCOPES.join(' '),
            audience: urls.resource,
            accessTokenFormat: 'opaque',
            accessTokenTTL: ACCESS_TOKEN_SECONDS,
          };
        },
      },
    },
  };
}

/** The library wants keys although nothing is ever signed: these live as long as the process. */
function unusedKeys(): JWKS {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] } as JWKS;
}

function assertShortLived(end: number): void {
  const seconds = end - Date.now() / 1000;
  if (seconds > MOST_SIGNATURE_SECONDS)
    throw new errors.InvalidClientAuth('the signature is good for too long');
}

/**
 * Each request is asked about, even where the app has been given less than it wants before. An app that wants nobody to be
 * asked hears the same whether somebody is signed in or not.
 */
function policy(): interactionPolicy.Prompt[] {
  const signedOut = new interactionPolicy.Check(
    'no_session',
    ...MUST_BE_ASKED,
    (context) => context.oidc.session?.accountId === undefined,
  );
  const undecided = new interactionPolicy.Check(
    'undecided',
    ...MUST_BE_ASKED,
    (context) => context.oidc.result?.consent === undefined,
  );
  return [
    new interactionPolicy.Prompt({ name: 'login', requestable: true }, signedOut),
    new interactionPolicy.Prompt({ name: 'consent', requestable: true }, undecided),
  ];
}

function askForDefaults(context: KoaContextWithOIDC, scope: string | undefined): void {
  if (!scope) context.oidc.params!['scope'] = DEFAULT_SCOPES.join(' ');
}
