import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../core/access/caller.js';
import { InvalidRequest } from '../core/http/errors.js';
import type { SecretUses } from './secret-use.js';
import { SecretVaultRepository } from './secret-vault.repository.js';
import { versionSecretProblems } from './version-secrets.js';

/** Checks what a new version asks of secrets. */
@Injectable()
export class VersionSecrets {
  constructor(private readonly secrets: SecretVaultRepository) {}

  /** @throws InvalidRequest naming each place, such as `secrets.STRIPE_KEY` or `env.2`, with the environment */
  async check({ workspace, environment, bound }: WorkspaceCaller, uses: SecretUses): Promise<void> {
    const names = [...new Set([...Object.keys(uses.secrets), ...uses.env])];
    if (names.length === 0) return;
    const stored = await this.secrets.stored(workspace.id, names);
    const details = versionSecretProblems(uses, stored, bound ? environment.name : null);
    if (details.length === 0) return;
    throw new InvalidRequest(details.map(({ path, message }) => `${path}: ${message}`).join('; '), details);
  }
}
