import { createStoreFetch } from '../store-fetch.js';
import type { SafeFetch } from '../../../libs/egress/index.js';
import type { VaultSettings } from '../../core/config/index.js';
import { Unavailable } from '../../core/errors/index.js';
import { isObject } from '../../core/json/index.js';
import { storeFailure } from '../store-failure.js';

export interface VaultResponse {
  status: number;
  /** null: it is no object of JSON. */
  body: Record<string, unknown> | null;
}

interface VaultRequest {
  /** Below `/v1/`. */
  path: string;
  token?: string;
  /** Makes it a POST. */
  body?: object;
  signal: AbortSignal;
}

/**
 * Vault's HTTP API, which OpenBao has as well. HashiCorp has no library for JavaScript; the safe dialer and these few lines are
 * what reading a secret takes.
 */
export class VaultClient {
  private readonly outside: SafeFetch;

  constructor(private readonly settings: Pick<VaultSettings, 'address' | 'namespace' | 'ca'>) {
    this.outside = createStoreFetch(settings.ca);
  }

  close(): void {
    this.outside.close();
  }

  /** @throws Unavailable where there is no response that says anything of the request; the signal's reason */
  async ask({ path, token, body, signal }: VaultRequest): Promise<VaultResponse> {
    const { address, namespace } = this.settings;
    try {
      const response = await this.outside.fetch(`${address}/v1/${path}`, {
        signal,
        headers: {
          'x-vault-request': 'true',
          ...(namespace !== null && { 'x-vault-namespace': namespace }),
          ...(token !== undefined && { 'x-vault-token': token }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const problem = problemOf(response.status);
      if (problem !== null) throw new Unavailable(problem);
      return { status: response.status, body: objectOf(response.ok ? JSON.parse(text) : null) };
    } catch (error) {
      throw storeFailure('Vault', error);
    }
  }
}

/** What is wrong with Vault itself, by the status of whatever it is asked; null: nothing. */
function problemOf(status: number): string | null {
  if (status >= 300 && status < 400) {
    return 'Vault sends on to another address, which is not followed: its operator names the active one.';
  }
  if (status === 429) return 'Vault has too many requests just now.';
  if (status === 503) return 'Vault is sealed, or under maintenance.';
  if (status >= 500) return `Vault fails (status ${status}).`;
  return null;
}

export function objectOf(value: unknown): Record<string, unknown> | null {
  return isObject(value) ? value : null;
}
