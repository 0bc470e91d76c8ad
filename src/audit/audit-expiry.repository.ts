import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { firstIdAt } from '../core/crypto/index.js';
import { deleteFirst, type Expired, Expires } from '../core/work/index.js';
import { AuditEvent } from './audit-event.entity.js';

/** Entries of the audit trail, where the operator does not keep them for ever. */
@Injectable()
export class AuditExpiryRepository {
  constructor(@InjectRepository(AuditEvent) private readonly events: Repository<AuditEvent>) {}

  /** Ids begin with the time, so the oldest are a range of the primary key. The database's own clock decides. */
  @Expires({ after: 'audit' })
  deleteOld({ before, age, most }: Expired): Promise<number> {
    const old = this.events
      .createQueryBuilder('e')
      .where('e.id < :end', { end: firstIdAt('audit', before) })
      .andWhere(`e.createdAt < now() - :age * interval '1 millisecond'`, { age })
      .orderBy('e.id');
    return deleteFirst(this.events, old, most);
  }
}
