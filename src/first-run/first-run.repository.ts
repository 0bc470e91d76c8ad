import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { User } from '../auth/index.js';
import { Database } from '../core/database/index.js';
import { ApiKey } from '../workspaces/index.js';
import { LONG_STATEMENTS, TAKE_TURN } from './first-run.sql.js';

@Injectable()
export class FirstRunRepository {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    private readonly database: Database,
  ) {}

  hasUsers(): Promise<boolean> {
    return this.users.exists();
  }

  hasApiKey(hash: Buffer): Promise<boolean> {
    return this.keys.existsBy({ hash });
  }

  /** Of all processes on this database one at a time carries out `work`; the others wait for their turn. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    const client = await this.database.pool.connect();
    // When the connection breaks, the lock is gone with it; the statements of `work` fail then as well.
    try {
      await client.query(LONG_STATEMENTS);
      await client.query(TAKE_TURN);
      return await work();
    } finally {
      // Closed rather than given back: that ends the lock and the setting, whatever became of them.
      client.release(true);
    }
  }
}
