import { DataSource, type QueryRunner } from 'typeorm';

import type { PreparingClient } from '../../../libs/prepared-pg/index.js';

/** A data source whose statements are part of the transaction in progress, whichever repository asks. */
export class AmbientDataSource extends DataSource {
  /** The connection of that transaction. */
  current: () => PreparingClient | null = () => null;

  override createQueryRunner(...mode: Parameters<DataSource['createQueryRunner']>): QueryRunner {
    const runner = super.createQueryRunner(...mode);
    const client = this.current();
    // It has the connection, and does not let go of it. A transaction is in progress on it: else TypeORM would begin its own.
    return client ? Object.assign(runner, { databaseConnection: client, isTransactionActive: true }) : runner;
  }
}
