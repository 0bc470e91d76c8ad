import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, Not, type Repository } from 'typeorm';

import { arraysOf, Database } from '../database/index.js';
import { WorkspaceKey } from './workspace-key.entity.js';
import { ADD, LOCK, REPLACE } from './workspace-keys.sql.js';

/** A workspace's data key, sealed by the master key of that id. */
export type WorkspaceKeyRow = Pick<WorkspaceKey, 'workspaceId' | 'masterKeyId' | 'sealedKey'>;

@Injectable()
export class WorkspaceKeysRepository {
  constructor(
    @InjectRepository(WorkspaceKey) private readonly keys: Repository<WorkspaceKey>,
    private readonly database: Database,
  ) {}

  find(workspaceId: string): Promise<WorkspaceKeyRow | null> {
    return this.keys.findOneBy({ workspaceId });
  }

  /** Nothing is added where there is one, or where another master key is in use. */
  async add({ workspaceId, masterKeyId, sealedKey }: WorkspaceKeyRow): Promise<void> {
    await this.database.execute(ADD, [workspaceId, masterKeyId, sealedKey]);
  }

  /** Whether some key is sealed by another master key than that of this id. */
  someUnderAnother(masterKeyId: string): Promise<boolean> {
    return this.keys.existsBy({ masterKeyId: Not(masterKeyId) });
  }

  /** Nobody reads or adds a key until the transaction ends. */
  async lock(): Promise<void> {
    await this.database.execute(LOCK);
  }

  page(after: string, count: number): Promise<WorkspaceKeyRow[]> {
    return this.keys.find({
      where: { workspaceId: MoreThan(after) },
      order: { workspaceId: 'ASC' },
      take: count,
    });
  }

  async replace(rows: WorkspaceKeyRow[]): Promise<void> {
    await this.database.execute(REPLACE, arraysOf(rows, 'workspaceId', 'masterKeyId', 'sealedKey'));
  }
}
