import { CommandFailure } from '../failure/command-failure.js';
import type { StoredToken } from '../settings/profiles.js';

const CLIENT_ID = 'gatehouse-cli';
/** Shorter than a lock on the profiles is kept. */
const PATIENCE_MS = 20_000;
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

interface DeviceCode {
  device_code: string;
  user_code: string;
  verification_uri_complete: string;
  /** Seconds from now. */
  expires_in: number;
  /** Seconds between two questions. */
  interval?: number;
}

interface TokenResponse {
  access_token: string;
  refresh_token: string;
  expires_in: number;
}

interface Posted {
  /** null: no response came. */
  status: number | null;
  /** Empty where it is no JSON, as of a proxy's page. */
  body: Record<string, unknown>;
  /** Why no response came. */
  reason?: string;
}

type SignedIn = Extract<StoredToken, { kind: 'signed_in' }>;

/** @param more scopes besides the usual ones */
export async function askForCode(url: string, more: readonly string[] = []): Promise<DeviceCode> {
  const scope = [...new Set([...SCOPES, ...more])].join(' ');
  const { status, body, reason } = await post(url, '/oauth/device', { scope });
  if (status === null) throw unreachable(url, reason);
  if (status === 200 && hasTexts(body, ['device_code', 'user_code', 'verification_uri_complete'])) {
    if (typeof body['expires_in'] === 'number') return body as unknown as DeviceCode;
  }
  const said = body['error_description'] ?? `status ${status}`;
  throw new CommandFailure(
    `${url} does not sign command lines in (${String(said)}).`,
    'Is the address right? Change it: gatehouse login --url ADDRESS',
  );
}

/** What became of the code: a token, or why there is none yet, `unreachable` where nobody said. */
export async function pollForToken(url: string, deviceCode: string): Promise<SignedIn | string> {
  const parameters = { grant_type: DEVICE_GRANT, device_code: deviceCode };
  const posted = await post(url, '/oauth/token', parameters);
  if (isToken(posted)) return tokenOf(posted.body);
  const { error } = posted.body;
  return typeof error === 'string' && !isPassing(posted) ? error : 'unreachable';
}

/** null: the sign-in has ended. */
export async function renewed(url: string, token: SignedIn): Promise<SignedIn | null> {
  const parameters = { grant_type: 'refresh_token', refresh_token: token.refresh };
  const posted = await post(url, '/oauth/token', parameters);
  if (isToken(posted)) return tokenOf(posted.body);
  if (posted.status === null) throw unreachable(url, posted.reason);
  if (posted.body['error'] === 'invalid_grant') return null;
  throw new CommandFailure(
    `${url} did not renew the sign-in (status ${posted.status}).`,
    'Find out why: gatehouse doctor',
  );
}

/** Whether the service takes tokens of persons at all: where it does not, it says so to everybody. */
export async function hasPersonalTokens(url: string): Promise<boolean> {
  const response = await fetch(below(url, '/v1/user/me'), {
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch((error: unknown) => {
    throw unreachable(url, reasonOf(error));
  });
  const body = (await response.json().catch(() => null)) as { error?: { code?: string } } | null;
  return body?.error?.code !== 'not_found';
}

function tokenOf({ access_token, refresh_token, expires_in }: TokenResponse): SignedIn {
  const expiresAt = Date.now() + expires_in * 1000;
  return { kind: 'signed_in', access: access_token, refresh: refresh_token, expiresAt };
}

function isToken(posted: Posted): posted is Posted & { body: TokenResponse } {
  const { status, body } = posted;
  const isWhole = hasTexts(body, ['access_token', 'refresh_token']) && typeof body['expires_in'] === 'number';
  return status === 200 && isWhole;
}

const isPassing = ({ status }: Posted): boolean => status === null || status === 429 || status >= 500;

const hasTexts = (body: Posted['body'], names: readonly string[]): boolean =>
  names.every((name) => typeof body[name] === 'string');

/** Never with what was sent: that is a secret. */
async function post(url: string, path: string, parameters: Record<string, string>): Promise<Posted> {
  const init: RequestInit = {
    method: 'POST',
    body: new URLSearchParams({ client_id: CLIENT_ID, ...parameters }),
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  };
  try {
    const response = await fetch(below(url, path), init);
    const body = (await response.json().catch(() => null)) as Posted['body'] | null;
    return { status: response.status, body: body ?? {} };
  } catch (error) {
    return { status: null, body: {}, reason: reasonOf(error) };
  }
}

const below = (url: string, path: string): URL => new URL(`.${path}`, `${url}/`);

function reasonOf(error: unknown): string {
  const { cause = error } = error as { cause?: unknown };
  const { code, message } = cause as { code?: unknown; message?: string };
  return typeof code === 'string' ? code : String(message ?? cause);
}

const unreachable = (url: string, reason = 'no response'): CommandFailure =>
  new CommandFailure(
    `${new URL(url).origin} could not be reached: ${reason}.`,
    'Is the address right, and is the service up?',
  );
