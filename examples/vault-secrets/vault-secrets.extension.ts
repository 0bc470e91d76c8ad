import { readFile } from 'node:fs/promises';

import {
  Extension,
  type ExtensionSettings,
  Outbound,
  SecretSource,
  type SecretSourceProvider,
  type SourcedSecret,
  Unavailable,
} from '@gatehouse/extension';
import { type DynamicModule, Module } from '@nestjs/common';

/** A path below what is the workspace's, and a field of what is there: `payments/stripe#key`. */
const REFERENCE = /^(?<path>[\w-]+(?:\/[\w-]+)*)#(?<field>[\w-]+)$/;

export class VaultSettings {
  constructor(
    /** Where it is, such as `https://vault.internal:8200`. */
    readonly url: string,
    /** May read what is below `secret/gatehouse`, and nothing else. */
    readonly token: string,
    /** The certificate of the authority that vouches for it, PEM, where that is one of your own. */
    readonly ca = '',
  ) {}
}

/** What Vault's key/value store, version 2, responds with. */
interface VaultResponse {
  data?: { data?: Record<string, unknown> };
}

/** Reads secrets from Vault, each workspace's from below `secret/gatehouse/<its id>/<environment>`. */
@SecretSource('vault_secrets')
export class VaultSecrets implements SecretSourceProvider {
  constructor(
    private readonly vault: VaultSettings,
    private readonly outbound: Outbound,
  ) {}

  referenceProblem(reference: string): string | null {
    return REFERENCE.test(reference) ? null : 'must be a path and a field, such as payments/stripe#key';
  }

  async read(secret: SourcedSecret, { signal }: { signal: AbortSignal }): Promise<string> {
    const { path, field } = REFERENCE.exec(secret.reference)!.groups!;
    const response = await this.outbound.fetch(
      this.urlOf(secret, path!),
      { headers: { 'x-vault-token': this.vault.token }, signal },
      { ca: this.vault.ca },
    );
    if (response.status === 404) throw new Unavailable(`Vault has nothing at ${path}.`);
    if (!response.ok) throw new Unavailable(`Vault responded ${response.status}.`);
    const { data } = (await response.json()) as VaultResponse;
    const value = data?.data?.[field!];
    if (typeof value !== 'string') throw new Unavailable(`Vault has no text ${field} at ${path}.`);
    return value;
  }

  /** By the id of the workspace: its name may be another's later. */
  private urlOf({ workspace, environment }: SourcedSecret, path: string): URL {
    const below = ['gatehouse', workspace.id, environment.name].map(encodeURIComponent).join('/');
    return new URL(`/v1/secret/data/${below}/${path}`, this.vault.url);
  }
}

@Extension({ name: 'vault-secrets' })
@Module({ providers: [VaultSecrets] })
export class VaultSecretsExtension {
  static readonly version = '1.0.0';

  static for(settings: VaultSettings): DynamicModule {
    return { module: VaultSecretsExtension, providers: [{ provide: VaultSettings, useValue: settings }] };
  }
}

/** `EXTENSION_VAULT_SECRETS_URL`, `…_TOKEN` and, if need be, `…_CA_FILE`. */
export default async ({ url, token, caFile }: ExtensionSettings): Promise<DynamicModule> => {
  if (!url || !token) throw new Error('Set EXTENSION_VAULT_SECRETS_URL and …_TOKEN.');
  const ca = caFile ? await readFile(caFile, 'utf8') : '';
  return VaultSecretsExtension.for(new VaultSettings(url, token, ca));
};
