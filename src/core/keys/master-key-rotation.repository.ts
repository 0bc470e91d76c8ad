import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';

@Injectable()
export class MasterKeyRotationRepository {
  constructor(private readonly database: Database) {}

  /** The roles of the processes that work on this database, one entry for each. */
  async liveRoles(): Promise<string[]> {
    const rows = await this.database.query<{ role: string }>(
      `SELECT role FROM instances WHERE seen_at > now() - interval '40 seconds' ORDER BY started_at`,
    );
    return rows.map(({ role }) => role);
  }
}
