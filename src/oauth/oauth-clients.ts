/** By which an app may prove that it is the one whose keys are known (RFC 7523); each app says which of them is its own. */
export const CLIENT_SIGNATURES = ['ES256', 'EdDSA', 'PS256', 'RS256'] as const;

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
