import { readFile } from 'node:fs/promises';

import type { KeptCredential, VaultLogin } from '../../core/config/index.js';
import { Unavailable } from '../../core/errors/index.js';
import { inTime } from '../../core/time-limit/index.js';
import { objectOf, type VaultClient } from './vault-client.js';

/** Of a token's life, the part after that a new one is fetched. */
const USED_PART = 0.7;
/** One that says nothing of its end. */
const LONGEST_SECONDS = 3600;
/** A token that has been good for so long may have been revoked; a younger one is asked for itself first. */
const SETTLED_MS = 60_000;
const LOGIN_MS = 10_000;
/** It lets a token look itself up. */
const DEFAULT_POLICY = 'default';
const TOKEN = /^[\x21-\x7e]{1,4096}$/;

interface Held {
  token: string;
  /** Both by `performance.now()`. */
  since: number;
  until: number;
  /** Whether Vault tells it whether it still lives. */
  looksUp: boolean;
}

/** The token with which secrets are read: it stands somewhere, or comes of a login and is kept for most of its life. */
export class VaultToken {
  private held: Held | null = null;
  private loggingIn: Promise<string> | null = null;

  constructor(
    private readonly login: VaultLogin,
    private readonly client: VaultClient,
  ) {}

  /** @throws Unavailable saying what is wrong with the setting */
  async get(signal: AbortSignal): Promise<string> {
    if (this.login.kind === 'token') return contentOf(this.login.token, 'GATEHOUSE_VAULT_TOKEN_FILE');
    if (this.held && this.held.until > performance.now()) return this.held.token;
    // Runs that start together log in once. None of them ends it for the others.
    const loggingIn = (this.loggingIn ??= this.fetch().finally(() => (this.loggingIn = null)));
    return inTime({ ms: LOGIN_MS, stop: signal }, () => loggingIn);
  }

  /**
   * Of a token that was refused: whether that is because it has ended, and another may come of a login. What the token may not read
   * is refused likewise, and costs no login each time.
   */
  async hasEnded(token: string, signal: AbortSignal): Promise<boolean> {
    if (this.login.kind === 'token') return false;
    const { held } = this;
    // Somebody else has found out.
    if (held?.token !== token) return true;
    const isOver =
      performance.now() - held.since > SETTLED_MS || (held.looksUp && !(await this.isAlive(token, signal)));
    if (isOver && this.held === held) this.held = null;
    return isOver;
  }

  private async isAlive(token: string, signal: AbortSignal): Promise<boolean> {
    const { status } = await this.client.ask({ path: 'auth/token/lookup-self', token, signal });
    return status !== 403;
  }

  private async fetch(): Promise<string> {
    const { path, body } = await this.credentials();
    const { status, body: response } = await this.client.ask({
      path,
      body,
      signal: AbortSignal.timeout(LOGIN_MS),
    });
    const auth = objectOf(response?.['auth']);
    const token = auth?.['client_token'];
    if (typeof token !== 'string' || !TOKEN.test(token)) {
      throw new Unavailable(`Vault does not let this Gatehouse log in (status ${status}).`);
    }
    const lease = Number(auth!['lease_duration']);
    const seconds = lease > 0 ? Math.min(lease, LONGEST_SECONDS) : LONGEST_SECONDS;
    const since = performance.now();
    const policies: unknown = auth!['policies'];
    this.held = {
      ...{ token, since, until: since + seconds * USED_PART * 1000 },
      looksUp: Array.isArray(policies) && policies.includes(DEFAULT_POLICY),
    };
    return token;
  }

  private async credentials(): Promise<{ path: string; body: object }> {
    const { login } = this;
    switch (login.kind) {
      case 'approle': {
        const secretId = await contentOf(login.secretId, 'GATEHOUSE_VAULT_SECRET_ID_FILE');
        return {
          path: `auth/${login.mount}/login`,
          body: { role_id: login.roleId, secret_id: secretId },
        };
      }
      case 'kubernetes': {
        const jwt = await contentOf(login.token, "the service account's token");
        return { path: `auth/${login.mount}/login`, body: { role: login.role, jwt } };
      }
      case 'token':
        throw new Error('A token needs no login.');
    }
  }
}

/** A file is read anew each time: whoever puts a token there replaces it. */
async function contentOf(kept: KeptCredential, name: string): Promise<string> {
  if ('value' in kept) return kept.value;
  const text = await readFile(kept.file, 'utf8').catch(() => '');
  const content = text.trim();
  if (TOKEN.test(content)) return content;
  throw new Unavailable(`This Gatehouse cannot log in to Vault: ${name} is no file with a credential.`);
}
