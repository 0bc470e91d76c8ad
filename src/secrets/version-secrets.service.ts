import { setImmediate as turn } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { TooManyPatterns, checkPatterns, MAX_PATTERN_BYTES } from '../../libs/egress/index.js';
import type { WorkspaceCaller } from '../core/access/index.js';
import { type ErrorDetail, InvalidRequest } from '../core/errors/index.js';
import { searchedValues, tooMuch } from './searched-values.js';
import type { SecretUses } from './secret-use.js';
import { SecretVaultRepository, type ValuesSize } from './secret-vault.repository.js';
import { SecretUnreadable, SecretVaultService } from './secret-vault.service.js';
import { versionSecretProblems, visibleName } from './version-secrets.rules.js';

/** Checks what a new version asks of secrets. */
@Injectable()
export class VersionSecretsService {
  constructor(
    private readonly secrets: SecretVaultRepository,
    private readonly vault: SecretVaultService,
  ) {}

  /** @throws InvalidRequest naming each place, such as `secrets.STRIPE_KEY` or `env.2`, with the environment */
  async check({ workspace, environment, bound }: WorkspaceCaller, uses: SecretUses): Promise<void> {
    const names = [...new Set([...Object.keys(uses.secrets), ...uses.env])];
    if (names.length === 0) return;
    const only = bound ? environment.name : null;
    const stored = await this.secrets.stored(workspace.id, names);
    const details = versionSecretProblems(uses, stored, only);
    if (details.length === 0) details.push(...(await this.sizeProblems(workspace.id, names, uses, only)));
    if (details.length === 0) return;
    throw InvalidRequest.listing(details);
  }

  /** What a run leaves behind is searched for all of these values, so their size together is limited. */
  private async sizeProblems(
    workspaceId: string,
    names: readonly string[],
    uses: SecretUses,
    only: string | null,
  ): Promise<ErrorDetail[]> {
    const path = Object.keys(uses.secrets).length > 0 ? 'secrets' : 'env';
    const details: ErrorDetail[] = [];
    for (const size of await this.secrets.sizes(workspaceId, names)) {
      const problem = await this.sizeProblem(workspaceId, names, uses, size);
      const environment = visibleName(size.environment, only);
      if (problem) details.push({ path, message: tooMuch(environment, problem) });
      // Checking many environments with large values takes a while, so other work gets its turn.
      await turn();
    }
    return details;
  }

  private async sizeProblem(
    workspaceId: string,
    names: readonly string[],
    uses: SecretUses,
    { environmentId, bytes }: ValuesSize,
  ): Promise<TooManyPatterns | null> {
    if (bytes > MAX_PATTERN_BYTES) return new TooManyPatterns();
    try {
      checkPatterns(searchedValues(uses, await this.vault.open({ workspaceId, environmentId, names })));
      return null;
    } catch (error) {
      if (error instanceof TooManyPatterns) return error;
      // Runs there fail, and say so.
      if (error instanceof SecretUnreadable) return null;
      throw error;
    }
  }
}
