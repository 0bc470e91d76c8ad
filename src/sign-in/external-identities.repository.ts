import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Not, type Repository } from 'typeorm';

import { insertIfAbsent } from '../core/database/index.js';
import { ExternalIdentity } from './external-identity.entity.js';

export type IdentityKey = Pick<ExternalIdentity, 'way' | 'issuer' | 'subject'>;

@Injectable()
export class ExternalIdentitiesRepository {
  constructor(
    @InjectRepository(ExternalIdentity) private readonly identities: Repository<ExternalIdentity>,
  ) {}

  async holder({ way, issuer, subject }: IdentityKey): Promise<string | null> {
    return (await this.identities.findOneBy({ way, issuer, subject }))?.userId ?? null;
  }

  /** False: the identity is somebody's, or the person is somebody else to that issuer. */
  insert({ way, issuer, subject }: IdentityKey, userId: string): Promise<boolean> {
    return insertIfAbsent(this.identities, { way, issuer, subject, userId });
  }

  async deleteAllOf(userId: string): Promise<void> {
    await this.identities.delete({ userId });
  }

  /** Those of the person at other providers. */
  async deleteOthers({ way, issuer }: IdentityKey, userId: string): Promise<void> {
    await this.identities.delete([
      { userId, way: Not(way) },
      { userId, issuer: Not(issuer) },
    ]);
  }
}
