import { Injectable } from '@nestjs/common';

import { firstIdAt } from '../core/crypto/index.js';
import { Database } from '../core/database/index.js';
import { type Expired, Expires } from '../core/work/index.js';
import { DELETE_AUDIT_EVENTS } from './audit-expiry.sql.js';

/** Entries of the audit trail, where the operator does not keep them for ever. */
@Injectable()
export class AuditExpiryRepository {
  constructor(private readonly database: Database) {}

  @Expires({ after: 'audit' })
  async deleteOld({ before, age, most }: Expired): Promise<number> {
    return (await this.database.execute(DELETE_AUDIT_EVENTS, [firstIdAt('audit', before), age, most])).count;
  }
}
