import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { Database, insertIfAbsent, NOW } from '../core/database/index.js';
import { FormerSecret } from './former-secret.entity.js';
import { Secret } from './secret.entity.js';
import type { SecretLimits } from './secret.loosening.js';
import { SecretValue } from './secret-value.entity.js';
import {
  DELETE_VALUES,
  type EnvironmentRef,
  FIND_SECRET,
  LIST_SECRETS,
  type SecretRow,
} from './secrets.sql.js';

@Injectable()
export class SecretsRepository {
  constructor(
    @InjectRepository(Secret) private readonly secrets: Repository<Secret>,
    @InjectRepository(SecretValue) private readonly values: Repository<SecretValue>,
    @InjectRepository(FormerSecret) private readonly former: Repository<FormerSecret>,
    private readonly database: Database,
  ) {}

  /** Newest first. Where `onlyIn` names an environment: only what has a value there, and only that value. */
  list(
    workspaceId: string,
    onlyIn: string | null,
    after: string | null,
    count: number,
  ): Promise<SecretRow[]> {
    return this.database.query<SecretRow>(LIST_SECRETS, [workspaceId, onlyIn, after, count]);
  }

  find(workspaceId: string, onlyIn: string | null, name: string): Promise<SecretRow | null> {
    return this.database.one<SecretRow>(FIND_SECRET, [workspaceId, onlyIn, name]);
  }

  /** False: there is one of that name. */
  insert(secret: Omit<Secret, 'createdAt' | 'updatedAt'>): Promise<boolean> {
    return insertIfAbsent(this.secrets, secret);
  }

  /** Changes of a secret and of its values take turns. */
  lock(workspaceId: string, name: string): Promise<Secret | null> {
    return this.secrets.findOne({ where: { workspaceId, name }, lock: { mode: 'pessimistic_write' } });
  }

  /**
   * To be called while the secret is locked; null: there is none yet. Of a deleted secret, the strictest `allowEnv`
   * that is remembered in any environment counts. Its hosts are the last that are remembered in the environment, or in
   * deleted ones that had its name.
   */
  async limits(
    workspaceId: string,
    name: string,
    environment: EnvironmentRef,
    secret: Secret | null,
  ): Promise<SecretLimits> {
    const value =
      secret && (await this.values.findOneBy({ secretId: secret.id, environmentId: environment.id }));
    if (secret && value) {
      const { hosts, source, reference } = value;
      return { allowEnv: secret.allowEnv, hosts, source, reference };
    }
    const former = await this.former.find({
      where: { workspaceId, name },
      relations: { environment: true },
      order: { environmentId: 'DESC' },
    });
    const last = former.find(
      ({ environment: place }) =>
        place!.id === environment.id || (place!.name === environment.name && place!.deletedAt !== null),
    );
    const strictest = former.length === 0 ? null : former.every(({ allowEnv }) => allowEnv);
    const allowEnv = secret ? secret.allowEnv : strictest;
    return { allowEnv, hosts: last?.hosts ?? null, source: null, reference: null };
  }

  async update(id: string, allowEnv: boolean): Promise<void> {
    await this.secrets.update({ id }, { allowEnv, updatedAt: NOW });
  }

  async putValue(value: Omit<SecretValue, 'updatedAt' | 'lastUsedAt'>): Promise<void> {
    await this.values.upsert({ ...value, updatedAt: NOW }, ['secretId', 'environmentId']);
  }

  /** In one environment, or in all; what each was limited to is kept. Returns the environments that had a value. */
  deleteValues(secretId: string, environmentId: string | null): Promise<EnvironmentRef[]> {
    return this.deleteValuesOf([secretId], environmentId);
  }

  /** Deletes all values of an environment, with the secrets that have none left. */
  async deleteAllIn(environmentId: string): Promise<void> {
    const locked = (await this.lockValuedIn(environmentId)).map(({ id }) => id);
    await this.deleteValuesOf(locked, environmentId);
    await this.deleteUnlessValued(locked);
  }

  /** Deletes those of these secrets that have no value left. */
  async deleteUnlessValued(ids: readonly string[]): Promise<void> {
    await this.secrets
      .createQueryBuilder()
      .delete()
      .where('id = ANY(:ids)', { ids })
      .andWhere('NOT EXISTS (SELECT FROM secret_values v WHERE v.secret_id = secrets.id)')
      .execute();
  }

  async touch(id: string): Promise<void> {
    await this.secrets.update({ id }, { updatedAt: NOW });
  }

  private deleteValuesOf(secretIds: string[], environmentId: string | null): Promise<EnvironmentRef[]> {
    return this.database.query<EnvironmentRef>(DELETE_VALUES, [secretIds, environmentId]);
  }

  /** Locked first, so that no value is added to a secret that is seen to have none. */
  private lockValuedIn(environmentId: string): Promise<Secret[]> {
    return this.secrets
      .createQueryBuilder('s')
      .where('s.id IN (SELECT v.secret_id FROM secret_values v WHERE v.environment_id = :environmentId)')
      .setParameters({ environmentId })
      .orderBy('s.id')
      .setLock('pessimistic_write')
      .getMany();
  }
}
