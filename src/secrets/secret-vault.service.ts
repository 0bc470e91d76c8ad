import { Injectable } from '@nestjs/common';

import { WorkspaceKeysService } from '../core/keys/workspace-keys.service.js';
import { placeOf } from './secret-place.js';
import type { OpenSecret } from './secret-plan.js';
import { type SealedSecret, SecretVaultRepository } from './secret-vault.repository.js';

/** A value that cannot be decrypted. Its message is shown with the run. */
export class SecretUnreadable extends Error {}

/** The only place where values are decrypted. */
@Injectable()
export class SecretVaultService {
  constructor(
    private readonly secrets: SecretVaultRepository,
    private readonly keys: WorkspaceKeysService,
  ) {}

  /**
   * The secrets of these names that have a value in the environment, by name.
   *
   * @throws SecretUnreadable, WrongMasterKey
   */
  async open(wanted: {
    workspaceId: string;
    environmentId: string;
    names: readonly string[];
  }): Promise<Map<string, OpenSecret>> {
    if (wanted.names.length === 0) return new Map();
    const rows = await this.secrets.sealed(wanted.workspaceId, wanted.environmentId, wanted.names);
    const [first] = rows;
    if (!first) return new Map();
    // All belong to one workspace, which has one key.
    const key = this.keys.unwrap(first);
    return new Map(
      rows.map((row) => {
        const { name, kind, hosts, allowEnv } = row;
        const value = opened(row, () => key.open(row.sealed, placeOf(row)));
        return [name, { value, kind, hosts, allowEnv }];
      }),
    );
  }
}

function opened({ name }: SealedSecret, open: () => string): string {
  try {
    return open();
  } catch {
    throw new SecretUnreadable(
      `the value of the secret ${name} cannot be decrypted: its record was changed outside of Gatehouse. Set it anew`,
    );
  }
}
