import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, type Repository, type SelectQueryBuilder } from 'typeorm';

import { arraysOf, Database } from '../core/database/index.js';
import type { Environment } from '../environments/index.js';
import { Secret } from './secret.entity.js';
import { MARK_USED, SEALED, type SealedSecret } from './secret-vault.sql.js';
import type { StoredSecret } from './version-secrets.rules.js';

/** A value that was used. */
export interface SecretUsed {
  workspaceId: string;
  environmentId: string;
  name: string;
}

export interface ValuesSize {
  environmentId: Environment['id'];
  environment: Environment['name'];
  bytes: number;
}

/** What runs and versions read of secrets. */
@Injectable()
export class SecretVaultRepository {
  constructor(
    @InjectRepository(Secret) private readonly secrets: Repository<Secret>,
    private readonly database: Database,
  ) {}

  sealed(workspaceId: string, environmentId: string, names: readonly string[]): Promise<SealedSecret[]> {
    return this.database.query<SealedSecret>(SEALED, [workspaceId, environmentId, names]);
  }

  /** In all environments that have a value. */
  async stored(workspaceId: string, names: readonly string[]): Promise<StoredSecret[]> {
    const found = await this.valued(workspaceId, names)
      .select(['s.id', 's.name', 's.kind', 's.allowEnv'])
      .addSelect(['v.secretId', 'v.environmentId', 'v.hosts', 'e.id', 'e.name'])
      .orderBy('e.id')
      .getMany();
    return found.map(({ name, kind, allowEnv, values }) => ({
      name,
      kind,
      allowEnv,
      values: values!.map(({ environment, hosts }) => ({ environment: environment!.name, hosts })),
    }));
  }

  /** About how large the values of these names are together, in each environment that has one of them. */
  sizes(workspaceId: string, names: readonly string[]): Promise<ValuesSize[]> {
    return this.valued(workspaceId, names)
      .select('e.id', 'environmentId')
      .addSelect('e.name', 'environment')
      .addSelect('sum(octet_length(v.sealed))::int', 'bytes')
      .groupBy('e.id')
      .orderBy('e.id')
      .getRawMany<ValuesSize>();
  }

  async markUsed(used: readonly SecretUsed[]): Promise<void> {
    await this.database.execute(MARK_USED, arraysOf(used, 'workspaceId', 'environmentId', 'name'));
  }

  private valued(workspaceId: string, names: readonly string[]): SelectQueryBuilder<Secret> {
    return this.secrets
      .createQueryBuilder('s')
      .innerJoin('s.values', 'v')
      .innerJoin('v.environment', 'e')
      .where({ workspaceId, name: Any([...names]) });
  }
}
