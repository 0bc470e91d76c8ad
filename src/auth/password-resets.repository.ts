import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';

import { Database, isAhead, isPast, NOW } from '../core/database/index.js';
import { Expires } from '../core/work/index.js';
import { PasswordReset } from './password-reset.entity.js';
import { INSERT_RESET } from './password-resets.sql.js';

@Injectable()
export class PasswordResetsRepository {
  constructor(
    @InjectRepository(PasswordReset) private readonly resets: Repository<PasswordReset>,
    private readonly database: Database,
  ) {}

  /** False: the person got a link less than `pause` seconds ago, and it still works. */
  async insert(hash: Buffer, userId: string, seconds: number, pause: number): Promise<boolean> {
    return (await this.database.execute(INSERT_RESET, [hash, userId, seconds, pause])).count === 1;
  }

  /** Whose password a token may set now, or null. */
  async holder(hash: Buffer): Promise<string | null> {
    const reset = await this.resets.findOneBy({ hash, usedAt: IsNull(), expiresAt: isAhead() });
    return reset?.userId ?? null;
  }

  /** False: it was used meanwhile, or has expired. */
  async use(hash: Buffer): Promise<boolean> {
    const unused = { hash, usedAt: IsNull(), expiresAt: isAhead() };
    return (await this.resets.update(unused, { usedAt: NOW })).affected === 1;
  }

  async useAll(userId: string): Promise<void> {
    await this.resets.update({ userId, usedAt: IsNull() }, { usedAt: NOW });
  }

  /** Expired tokens open nothing; this only takes them off the disk. */
  @Expires()
  async deleteExpired(): Promise<number> {
    return (await this.resets.delete({ expiresAt: isPast() })).affected!;
  }
}
