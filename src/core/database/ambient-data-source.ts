import { DataSource, type DataSourceOptions, type QueryRunner } from 'typeorm';

import { type PreparingClient, storableJson } from '../../../libs/prepared-pg/index.js';

type Column = Parameters<DataSource['driver']['preparePersistentValue']>[1];

/** A data source whose statements are part of the transaction in progress, whichever repository asks. */
export class AmbientDataSource extends DataSource {
  /** The connection of that transaction. */
  current: () => PreparingClient | null = () => null;

  constructor(options: DataSourceOptions) {
    super(options);
    const { driver } = this;
    const prepared = driver.preparePersistentValue.bind(driver) as (
      value: unknown,
      column: Column,
    ) => unknown;
    driver.preparePersistentValue = (value: unknown, column: Column) =>
      storable(prepared(value, column), column);
  }

  override createQueryRunner(...mode: Parameters<DataSource['createQueryRunner']>): QueryRunner {
    const runner = super.createQueryRunner(...mode);
    const client = this.current();
    // It has the connection, and does not let go of it. A transaction is in progress on it: else TypeORM would begin its own.
    return client ? Object.assign(runner, { databaseConnection: client, isTransactionActive: true }) : runner;
  }
}

/** PostgreSQL refuses U+0000 and, in JSON, half of a surrogate pair; one in a text is replaced on the way. */
function storable(value: unknown, { type }: Column): unknown {
  if (typeof value !== 'string') return value;
  return type === 'json' || type === 'jsonb' ? storableJson(value) : value.replaceAll('\0', '\ufffd');
}
