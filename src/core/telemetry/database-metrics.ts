import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';

import { Settings } from '../config/index.js';
import { Database } from '../database/index.js';
import { Metrics } from './metrics.js';

/** How this process uses its connections to PostgreSQL. */
@Injectable()
export class DatabaseMetrics {
  constructor(database: Database, { databasePool }: Settings, metrics: Metrics) {
    new Gauge({
      name: 'gatehouse_database_connections',
      help: 'Connections of the pool to PostgreSQL, by what they do.',
      labelNames: ['state'],
      registers: [metrics.registry],
      collect() {
        const { totalCount, idleCount } = database.pool;
        this.set({ state: 'idle' }, idleCount);
        this.set({ state: 'busy' }, totalCount - idleCount);
      },
    });
    const waiting = () => database.pool.waitingCount;
    metrics.gauge('gatehouse_database_waiting', 'Statements that wait for a connection.', waiting);
    const most = 'The most connections that the pool may have.';
    metrics.gauge('gatehouse_database_pool_size', most, () => databasePool);
  }
}
