import { CommandFailure } from '../failure/command-failure.js';
import type { StoredToken } from '../settings/profiles.js';

const CLIENT_ID = 'gatehouse-cli';
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** What the commands need. The person sees each, and may leave some out. */
const SCOPES = [
  'workspace:read',
  'workspace.audit:read',
  'workspace.members:read',
  'workspace.approvals:read',
  'workspace.approvals:write',
  'workspace.environments:read',
  'workspace.environments:write',
  'workspace.secrets:read',
  'workspace.secrets:write',
  'workspace.usage:read',
  'scripts:read',
  'scripts:write',
  'runs:read',
  'runs:write',
  'files:read',
  'files:write',
  'schedules:read',
  'schedules:write',
  'triggers:read',
  'triggers:write',
];

export interface DeviceCode {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  /** Seconds between two questions. */
  interval?: number;
}

interface TokenResponse {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  error?: string;
  error_description?: string;
}

type SignedIn = Extract<StoredToken, { kind: 'signed_in' }>;

export async function askForCode(url: string): Promise<DeviceCode> {
  const { status, body } = await post(url, '/oauth/device', { scope: SCOPES.join(' ') });
  if (status !== 200) throw new CommandFailure(`${url} does not sign command lines in (status ${status}).`);
  return body as unknown as DeviceCode;
}

/** What became of the code: a token, or why there is none yet. */
export async function pollForToken(url: string, deviceCode: string): Promise<SignedIn | string> {
  const parameters = { grant_type: DEVICE_GRANT, device_code: deviceCode };
  const { status, body } = await post(url, '/oauth/token', parameters);
  return status === 200 ? tokenOf(body) : (body.error ?? 'server_error');
}

/** null: the sign-in has ended. */
export async function renewed(url: string, token: SignedIn): Promise<SignedIn | null> {
  const parameters = { grant_type: 'refresh_token', refresh_token: token.refresh };
  const { status, body } = await post(url, '/oauth/token', parameters);
  if (status === 200) return tokenOf(body);
  if (status >= 500 || status === 429)
    throw new CommandFailure(`${url} did not renew the sign-in (${status}).`);
  return null;
}

function tokenOf({ access_token, refresh_token, expires_in }: TokenResponse): SignedIn {
  const expiresAt = Date.now() + expires_in * 1000;
  return { kind: 'signed_in', access: access_token, refresh: refresh_token, expiresAt };
}

async function post(
  url: string,
  path: string,
  parameters: Record<string, string>,
): Promise<{ status: number; body: TokenResponse }> {
  const address = new URL(`.${path}`, url.endsWith('/') ? url : `${url}/`);
  const body = new URLSearchParams({ client_id: CLIENT_ID, ...parameters });
  const response = await fetch(address, {
    method: 'POST',
    body,
    redirect: 'error',
    // Shorter than a lock on the profiles is kept.
    signal: AbortSignal.timeout(20_000),
  }).catch((error: Error) => {
    const { cause = error } = error as { cause?: Error & { code?: string } };
    const reason = 'code' in cause ? cause.code : cause.message;
    throw new CommandFailure(`${address.origin} could not be reached: ${String(reason)}.`);
  });
  const answer = (await response.json().catch(() => ({}))) as TokenResponse;
  return { status: response.status, body: answer };
}
