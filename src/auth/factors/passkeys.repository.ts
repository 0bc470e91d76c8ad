import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { insertIfAbsent, NOW } from '../../core/database/index.js';
import { Passkey } from './passkey.entity.js';

@Injectable()
export class PasskeysRepository {
  constructor(@InjectRepository(Passkey) private readonly passkeys: Repository<Passkey>) {}

  /** A person's, in the order in which they were made. */
  list(userId: string): Promise<Passkey[]> {
    return this.passkeys.find({ where: { userId }, order: { id: 'ASC' } });
  }

  count(userId: string): Promise<number> {
    return this.passkeys.countBy({ userId });
  }

  findByCredential(credentialId: Buffer): Promise<Passkey | null> {
    return this.passkeys.findOneBy({ credentialId });
  }

  /** False: somebody has it already. */
  insert(passkey: Omit<Passkey, 'createdAt' | 'lastUsedAt'>): Promise<boolean> {
    return insertIfAbsent(this.passkeys, passkey);
  }

  /** It has signed once more. False: it is gone, or somebody else has used it, or a copy of it, at this moment. */
  async use({ id, signCount }: Pick<Passkey, 'id' | 'signCount'>, next: number): Promise<boolean> {
    const { affected } = await this.passkeys.update({ id, signCount }, { signCount: next, lastUsedAt: NOW });
    return affected === 1;
  }

  /** null: the person has no such passkey. */
  async delete(userId: string, id: string): Promise<Passkey | null> {
    const passkey = await this.passkeys.findOneBy({ userId, id });
    return passkey && (await this.passkeys.delete({ id })).affected === 1 ? passkey : null;
  }

  async deleteAll(userId: string): Promise<void> {
    await this.passkeys.delete({ userId });
  }
}
