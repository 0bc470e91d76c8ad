import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThan, Not, type Repository } from 'typeorm';

import { insertIfAbsent, NOW } from '../../core/database/index.js';
import { TotpSecret } from './totp-secret.entity.js';

@Injectable()
export class TotpSecretsRepository {
  constructor(@InjectRepository(TotpSecret) private readonly secrets: Repository<TotpSecret>) {}

  find(userId: string): Promise<TotpSecret | null> {
    return this.secrets.findOneBy({ userId });
  }

  isConfirmed(userId: string): Promise<boolean> {
    return this.secrets.existsBy({ userId, confirmedAt: Not(IsNull()) });
  }

  /** In place of one that was being set up. False: there is one that counts. */
  async begin(userId: string, sealed: Buffer): Promise<boolean> {
    await this.secrets.delete({ userId, confirmedAt: IsNull() });
    return insertIfAbsent(this.secrets, { userId, sealed });
  }

  /** Uses up the code of that step. False: it, or a later one, is used already. */
  async use(userId: string, step: number): Promise<boolean> {
    const unused = { userId, lastStep: LessThan(step) };
    return (await this.secrets.update(unused, { lastStep: step, lastUsedAt: NOW })).affected === 1;
  }

  async confirm(userId: string): Promise<void> {
    await this.secrets.update({ userId }, { confirmedAt: NOW });
  }

  /** False: there is none that counts. */
  async delete(userId: string): Promise<boolean> {
    return (await this.secrets.delete({ userId, confirmedAt: Not(IsNull()) })).affected === 1;
  }

  async deleteAny(userId: string): Promise<void> {
    await this.secrets.delete({ userId });
  }

  /** All of them, held until the end of the transaction. */
  lockAll(): Promise<TotpSecret[]> {
    return this.secrets.find({ lock: { mode: 'pessimistic_write' } });
  }

  async replace(userId: string, sealed: Buffer): Promise<void> {
    await this.secrets.update({ userId }, { sealed });
  }
}
