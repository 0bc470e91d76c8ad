import { Injectable } from '@nestjs/common';

import { Database } from '../../core/database/index.js';
import { type Expired, Expires } from '../../core/work/index.js';

/** After an invitation could last be accepted. */
const KEPT_MS = 30 * 86_400_000;

@Injectable()
export class InvitationExpiryRepository {
  constructor(private readonly database: Database) {}

  @Expires({ after: KEPT_MS })
  async deleteOld({ age, most }: Expired): Promise<number> {
    return (await this.database.execute(DELETE_INVITATIONS, [age, most])).count;
  }
}

const DELETE_INVITATIONS = `
  WITH due AS MATERIALIZED (
    SELECT id FROM invitations WHERE expires_at < now() - $1::float8 * interval '1 millisecond'
    ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED
  )
  DELETE FROM invitations i USING due WHERE i.id = due.id`;
