import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, type Repository } from 'typeorm';

import { NOW, withinSeconds } from '../database/index.js';
import { deleteOldest } from './delete-oldest.js';
import { type Expired, Expires } from './expires.decorator.js';
import { InstanceEntry } from './instance.entity.js';

const DAY_MS = 86_400_000;

/** The processes of this service, each a row that it renews while it lives. */
@Injectable()
export class InstancesRepository {
  constructor(@InjectRepository(InstanceEntry) private readonly instances: Repository<InstanceEntry>) {}

  /** Adds a process, or says that it still lives. */
  async beat(id: string, role: string, tags: string[] | null): Promise<void> {
    await this.instances.upsert({ id, role, tags, seenAt: NOW }, ['id']);
  }

  async setRuntime(id: string, runtime: string): Promise<void> {
    await this.instances.update({ id }, { runtime });
  }

  async delete(id: string): Promise<void> {
    await this.instances.delete({ id });
  }

  /** Those of these ids whose process was seen within so many seconds. */
  async seenAmong(ids: string[], seconds: number): Promise<string[]> {
    const seen = await this.instances.findBy({ id: Any(ids), seenAt: withinSeconds(seconds) });
    return seen.map(({ id }) => id);
  }

  /** The roles of the processes that were seen within so many seconds, one entry for each. */
  async rolesSeen(seconds: number): Promise<string[]> {
    const seenAt = withinSeconds(seconds);
    const seen = await this.instances.find({ where: { seenAt }, order: { startedAt: 'ASC' } });
    return seen.map(({ role }) => role);
  }

  /** Processes that ended without a word. */
  @Expires({ after: DAY_MS })
  forget(expired: Expired): Promise<number> {
    return deleteOldest(this.instances, 'seenAt', expired);
  }
}
