import type { FirstRunCredentials } from './first-run-file.js';

/** The headers that identify the owner; where personal tokens are switched off, those of the workspace's key. */
export function bearer(credentials: FirstRunCredentials, personalTokens: boolean): Record<string, string> {
  return personalTokens
    ? { authorization: `Bearer ${credentials.personalAccessToken}`, 'x-workspace': credentials.workspace }
    : { authorization: `Bearer ${credentials.apiKey}` };
}
