import { Injectable } from '@nestjs/common';

import { firstIdAt } from '../../core/crypto/index.js';
import { Database } from '../../core/database/index.js';
import { type Expired, Expires } from '../../core/work/index.js';
import { DELETE_FIRINGS } from './trigger-firing.sql.js';

/** What events fired goes once they are gone. */
@Injectable()
export class FiringExpiryRepository {
  constructor(private readonly database: Database) {}

  @Expires({ after: 'events' })
  async deleteOld({ before, most }: Expired): Promise<number> {
    return (await this.database.execute(DELETE_FIRINGS, [firstIdAt('event', before), most])).count;
  }
}
