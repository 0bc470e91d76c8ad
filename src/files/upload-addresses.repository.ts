import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { inSeconds, isAhead, isPast, returnedRow } from '../core/database/index.js';
import { Expires } from '../core/work/index.js';
import { UploadAddress } from './upload-address.entity.js';

type NewUploadAddress = Omit<UploadAddress, 'createdAt' | 'expiresAt'>;

@Injectable()
export class UploadAddressesRepository {
  constructor(@InjectRepository(UploadAddress) private readonly addresses: Repository<UploadAddress>) {}

  /** When it expires. */
  async insert(address: NewUploadAddress, seconds: number): Promise<Date> {
    const insert = this.addresses.createQueryBuilder().insert();
    return (await returnedRow(insert.values({ ...address, expiresAt: inSeconds(seconds) }), 'expiresAt'))!
      .expiresAt;
  }

  /** How many of a credential's are open. */
  countOpen(credentialId: string): Promise<number> {
    return this.addresses.countBy({ credentialId, expiresAt: isAhead() });
  }

  find(id: string, tokenHash: Buffer): Promise<UploadAddress | null> {
    return this.addresses.findOneBy({ id, tokenHash, expiresAt: isAhead() });
  }

  /** Uses it up. False: somebody else was first, or it has expired. */
  async take(id: string, tokenHash: Buffer): Promise<boolean> {
    const taken = await this.addresses.delete({ id, tokenHash, expiresAt: isAhead() });
    return taken.affected === 1;
  }

  /** Expired addresses open nothing; this only takes them off the disk. */
  @Expires()
  async deleteExpired(): Promise<number> {
    return (await this.addresses.delete({ expiresAt: isPast() })).affected!;
  }
}
