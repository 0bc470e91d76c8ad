import { randomBytes } from 'node:crypto';

/** By which an app may prove that it is the one whose keys are known (RFC 7523); each app says which of them is its own. */
export const CLIENT_SIGNATURES = ['ES256', 'EdDSA', 'PS256', 'RS256'] as const;

/** How an app may show at the token endpoint which one it is. One with a secret has asked for it when it was registered. */
export const CLIENT_AUTH_METHODS = [
  'none',
  'private_key_jwt',
  'client_secret_post',
  'client_secret_basic',
] as const;

/** The command line, which is part of this service: it signs in by the device flow. */
export const COMMAND_LINE = {
  client_id: 'gatehouse-cli',
  client_name: 'Gatehouse command line',
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
  response_types: [],
  redirect_uris: [],
} as const;

/** How the service knows an app: by a document at its host, by having registered itself, by the operator, or as a part of itself. */
export const WAYS_TO_BE_KNOWN = ['document', 'dynamic', 'operator', 'built_in'] as const;
export type WayToBeKnown = (typeof WAYS_TO_BE_KNOWN)[number];

const OPERATORS = 'operator-';

/** Ids are made here, and a document's is its address: no app can choose one that looks like another way. */
export function knownBy(clientId: string): WayToBeKnown {
  if (clientId.startsWith('https://')) return 'document';
  if (clientId === COMMAND_LINE.client_id) return 'built_in';
  return clientId.startsWith(OPERATORS) ? 'operator' : 'dynamic';
}

export const newRegisteredId = (): string => `app-${randomBytes(16).toString('base64url')}`;
export const newOperatorsId = (): string => `${OPERATORS}${randomBytes(16).toString('base64url')}`;
