import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { Settings, type VaultSettings } from '../../core/config/index.js';
import { Unavailable } from '../../core/errors/index.js';
import {
  SecretSource,
  type SecretPlace,
  type SecretSourceDescription,
  type SecretSourceProvider,
  type SourcedSecret,
} from '../../secrets/index.js';
import { fieldProblem, folderOf, parseReference, pathProblem } from '../store-place.js';
import { objectOf, VaultClient, type VaultResponse } from './vault-client.js';
import { VaultToken } from './vault-token.js';

/** Secrets in the key/value store, version 2, of HashiCorp Vault or OpenBao: each workspace's below a folder of its own. */
@SecretSource('vault')
@Injectable()
export class VaultSource implements SecretSourceProvider, OnApplicationShutdown {
  private readonly vault: VaultSettings;
  private readonly client: VaultClient;
  private readonly token: VaultToken;

  constructor({ secretStores: { vault } }: Settings) {
    if (!vault) throw new Error('There is a source for Vault only where its address is set.');
    this.vault = vault;
    this.client = new VaultClient(vault);
    this.token = new VaultToken(vault.login, this.client);
  }

  onApplicationShutdown(): void {
    this.client.close();
  }

  describe(place: SecretPlace): SecretSourceDescription {
    const folder = `${this.vault.mount}/${folderOf(this.vault.prefix, place)}`;
    return {
      title: 'Vault',
      reference: `The path of a secret below ${folder}, and one of its fields.`,
      example: 'payments/stripe#key',
    };
  }

  referenceProblem(reference: string): string | null {
    const { path, field } = parseReference(reference);
    return pathProblem(path) ?? fieldProblem(field ?? '');
  }

  async read(secret: SourcedSecret, { signal }: { signal: AbortSignal }): Promise<string> {
    const problem = this.referenceProblem(secret.reference);
    if (problem !== null) throw new Unavailable(`the reference ${problem}`);
    const { path, field } = parseReference(secret.reference);
    const { status, body } = await this.responseTo(folderOf(this.vault.prefix, secret) + path, signal);
    if (status === 404)
      throw new Unavailable(`Vault has nothing at ${path}, or its newest version is deleted.`);
    if (status === 403) throw new Unavailable(`Vault does not let this Gatehouse read ${path}.`);
    if (!body) throw new Unavailable(`Vault does not give ${path} (status ${status}).`);
    const data = objectOf(objectOf(body['data'])?.['data']);
    const value = data && Object.hasOwn(data, field!) ? data[field!] : undefined;
    if (typeof value !== 'string') throw new Unavailable(`Vault has no text ${field} at ${path}.`);
    return value;
  }

  /** A token that came of a login may have been revoked: then one more login is tried. */
  private async responseTo(path: string, signal: AbortSignal): Promise<VaultResponse> {
    const token = await this.token.get(signal);
    const response = await this.ask(path, token, signal);
    if (response.status !== 403 || !(await this.token.hasEnded(token, signal))) return response;
    return this.ask(path, await this.token.get(signal), signal);
  }

  private ask(path: string, token: string, signal: AbortSignal): Promise<VaultResponse> {
    const written = path.split('/').map(encodeURIComponent).join('/');
    return this.client.ask({ path: `${this.vault.mount}/data/${written}`, token, signal });
  }
}
