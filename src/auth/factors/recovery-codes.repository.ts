import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { RecoveryCode } from './recovery-code.entity.js';

@Injectable()
export class RecoveryCodesRepository {
  constructor(@InjectRepository(RecoveryCode) private readonly codes: Repository<RecoveryCode>) {}

  count(userId: string): Promise<number> {
    return this.codes.countBy({ userId });
  }

  /** In place of those that there were. */
  async replace(userId: string, hashes: readonly Buffer[]): Promise<void> {
    await this.codes.delete({ userId });
    if (hashes.length > 0) await this.codes.insert(hashes.map((hash) => ({ userId, hash })));
  }

  /** Uses it up. False: there is none, or it is used. */
  async use(userId: string, hash: Buffer): Promise<boolean> {
    return (await this.codes.delete({ userId, hash })).affected === 1;
  }
}
