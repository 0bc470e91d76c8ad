import { Injectable } from '@nestjs/common';

import { NotFound } from '../../core/errors/index.js';
import { UsageService } from '../../usage/index.js';
import type { LockedScriptRow } from '../scripts.sql.js';
import { VersionsRepository } from './versions.repository.js';

/** Versions of a script that runs may use. */
@Injectable()
export class PublishableVersionsService {
  constructor(
    private readonly versions: VersionsRepository,
    private readonly usage: UsageService,
  ) {}

  /**
   * Returns the id of a version.
   *
   * @throws QuotaExceeded where no run of it could start, since the plan allows less than when it was made
   */
  async find({ id, plan }: Pick<LockedScriptRow, 'id' | 'plan'>, number: number): Promise<string> {
    const version = await this.versions.askedOf(id, number);
    if (version === null) throw new NotFound('version');
    this.usage.assertRunFits(plan, version);
    return version.id;
  }

  markPublished(id: string): Promise<void> {
    return this.versions.markPublished(id);
  }
}
