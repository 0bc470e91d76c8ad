import { Injectable } from '@nestjs/common';

import { WorkspaceKeysService } from '../core/keys/index.js';
import { placeOf } from './secret-place.js';
import type { OpenSecret } from './secret-plan.js';
import { SecretVaultRepository } from './secret-vault.repository.js';
import type { SealedSecret } from './secret-vault.sql.js';
import { type Sourced, SourcedValuesService } from './sources/sourced-values.service.js';

/** A value that cannot be decrypted. Its message is shown with the run. */
export class SecretUnreadable extends Error {}

/** The values of these names, in an environment. */
interface WantedSecrets {
  workspaceId: string;
  environmentId: string;
  names: readonly string[];
}

/** The only place where values are decrypted. */
@Injectable()
export class SecretVaultService {
  constructor(
    private readonly secrets: SecretVaultRepository,
    private readonly keys: WorkspaceKeysService,
    private readonly sources: SourcedValuesService,
  ) {}

  /**
   * The secrets of these names whose values are stored here for the environment, by name.
   *
   * @throws SecretUnreadable, WrongMasterKey
   */
  async open(wanted: WantedSecrets): Promise<Map<string, OpenSecret>> {
    return (await this.unseal(wanted)).stored;
  }

  /**
   * As `open`, with those whose values are read from elsewhere. It may take some seconds.
   *
   * @throws SecretUnreadable, SourceFailed, WrongMasterKey
   */
  async read(wanted: WantedSecrets): Promise<Map<string, OpenSecret>> {
    const { stored, elsewhere } = await this.unseal(wanted);
    if (elsewhere.length === 0) return stored;
    const known = [...stored.values()].map(({ value }) => value);
    const values = await this.sources.read(elsewhere, known);
    for (const { name, kind, hosts, allowEnv } of elsewhere) {
      stored.set(name, { value: values.get(name)!, kind, hosts, allowEnv });
    }
    return stored;
  }

  /** Those of the names that have no value in the environment. */
  async missing({ workspaceId, environmentId, names }: WantedSecrets): Promise<string[]> {
    const rows = names.length === 0 ? [] : await this.secrets.sealed(workspaceId, environmentId, names);
    const known = new Set(rows.map(({ name }) => name));
    return names.filter((name) => !known.has(name));
  }

  private async unseal({ workspaceId, environmentId, names }: WantedSecrets): Promise<Unsealed> {
    const stored = new Map<string, OpenSecret>();
    const elsewhere: Elsewhere[] = [];
    const rows = names.length === 0 ? [] : await this.secrets.sealed(workspaceId, environmentId, names);
    const [first] = rows;
    if (!first) return { stored, elsewhere };
    // All belong to one workspace, which has one key.
    const key = this.keys.unwrap(first);
    for (const row of rows) {
      const { name, kind, hosts, allowEnv, source } = row;
      const content = opened(row, () => key.open(row.sealed, placeOf(row)));
      if (source === null) stored.set(name, { value: content, kind, hosts, allowEnv });
      else elsewhere.push({ ...elsewhereOf(row), source, reference: content });
    }
    return { stored, elsewhere };
  }
}

type Elsewhere = Sourced & Pick<OpenSecret, 'hosts' | 'allowEnv'>;

interface Unsealed {
  stored: Map<string, OpenSecret>;
  elsewhere: Elsewhere[];
}

function elsewhereOf(row: SealedSecret): Omit<Elsewhere, 'source' | 'reference'> {
  const { name, kind, hosts, allowEnv } = row;
  const workspace = { id: row.workspaceId, slug: row.workspaceSlug };
  const environment = { id: row.environmentId, name: row.environmentName };
  return { name, kind, hosts, allowEnv, workspace, environment };
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
