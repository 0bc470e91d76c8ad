import { Injectable } from '@nestjs/common';

import { WorkspaceKeysService } from '../core/keys/workspace-keys.service.js';
import type { OpenSecret } from './secret-plan.js';
import { type SealedSecretRow, SecretVaultRepository } from './secret-vault.repository.js';

/** Where a value belongs. */
export interface SecretPlace {
  workspaceId: string;
  secretId: string;
  environmentId: string;
  hosts: readonly string[];
}

/**
 * What a sealed value is bound to. The hosts are part of it: whoever can write to the database, but has no key, can
 * neither move a value to another secret nor send it to a host of their own.
 */
export function placeOf({ workspaceId, secretId, environmentId, hosts }: SecretPlace): string[] {
  return [workspaceId, secretId, environmentId, ...hosts];
}

/** A value that does not open. The message is for whoever reads the run. */
export class SecretUnreadable extends Error {}

/** The only place where values are decrypted. */
@Injectable()
export class SecretVault {
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
    // All are of one workspace and have its one key.
    const key = this.keys.unwrap(first);
    return new Map(
      rows.map((row) => {
        const { name, hosts, allowEnv } = row;
        const value = opened(row, () => key.open(row.sealed, placeOf(row)));
        return [name, { value, hosts, allowEnv }];
      }),
    );
  }
}

function opened({ name }: SealedSecretRow, open: () => string): string {
  try {
    return open();
  } catch {
    throw new SecretUnreadable(
      `the value of the secret ${name} cannot be decrypted: its record was changed outside of Gatehouse. Set it anew`,
    );
  }
}
