import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';

import { Settings } from '../config/index.js';
import { Database } from '../database/index.js';
import { Metrics } from './metrics.js';

/** How this process uses its connections to PostgreSQL. */
@Injectable()
export class DatabaseMetrics {
  constructor(database: Database, { databasePool }: Settings, { registry }: Metrics) {
    const registers = [registry];
    new Gauge({
      name: 'gatehouse_database_connections',
      help: 'Connections of the pool to PostgreSQL, by what they do.',
      labelNames: ['state'],
      registers,
      collect() {
        const { totalCount, idleCount } = database.pool;
        this.set({ state: 'idle' }, idleCount);
        this.set({ state: 'busy' }, totalCount - idleCount);
      },
    });
    new Gauge({
      name: 'gatehouse_database_waiting',
      help: 'Statements that wait for a connection.',
      registers,
      collect() {
        this.set(database.pool.waitingCount);
      },
    });
    new Gauge({
      name: 'gatehouse_database_pool_size',
      help: 'The most connections that the pool may have.',
      registers,
    }).set(databasePool);
  }
}
