import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, LessThan, type Repository } from 'typeorm';

import { Database, inSeconds, isPast, newestFirst, NOW, withinSeconds } from '../../core/database/index.js';
import { deleteOldest, type Expired, Expires } from '../../core/work/index.js';
import { AlertMessage } from './alert-message.entity.js';

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const OPEN = ['waiting', 'sending'] as const;

export type NewAlertMessage = Pick<
  AlertMessage,
  'id' | 'workspaceId' | 'ruleId' | 'incident' | 'test' | 'count' | 'conditions' | 'events' | 'runId'
> & { dueAt: Date };

@Injectable()
export class AlertMessagesRepository {
  constructor(
    @InjectRepository(AlertMessage) private readonly messages: Repository<AlertMessage>,
    private readonly database: Database,
  ) {}

  async insert(message: NewAlertMessage): Promise<void> {
    await this.messages.createQueryBuilder().insert().values(message).updateEntity(false).execute();
  }

  /** Newest first. */
  list(ruleId: string, after: string | null, count: number): Promise<AlertMessage[]> {
    return newestFirst(this.messages.createQueryBuilder('m').where({ ruleId }), after, count).getMany();
  }

  find(id: string): Promise<AlertMessage | null> {
    return this.messages.findOneBy({ id });
  }

  /** The one that takes in what else happens. Whoever asks has locked the rule. */
  open(ruleId: string, incident: string): Promise<AlertMessage | null> {
    return this.messages.findOneBy({ ruleId, incident, status: 'waiting', test: false });
  }

  /** Those that take in what else happens are looked at now. */
  async hurry(ruleId: string): Promise<void> {
    await this.messages.update({ ruleId, status: 'waiting', test: false }, { dueAt: NOW } as object);
  }

  /** The one before it of the same incident. */
  previous({ id, ruleId, incident }: AlertMessage): Promise<AlertMessage | null> {
    return this.messages.findOne({
      where: { ruleId, incident, test: false, id: LessThan(id) },
      order: { id: 'DESC' },
    });
  }

  testUnderWay(ruleId: string): Promise<boolean> {
    return this.messages.existsBy({ ruleId, status: In([...OPEN]), test: true });
  }

  async update(id: string, change: Partial<Omit<AlertMessage, 'id'>>): Promise<void> {
    await this.messages.update({ id }, change);
  }

  /** Those that are to be begun or attempted again, with their rules; the oldest first. */
  due(most: number): Promise<Pick<AlertMessage, 'id' | 'ruleId' | 'workspaceId'>[]> {
    return this.messages.find({
      select: { id: true, ruleId: true, workspaceId: true },
      where: { status: In([...OPEN]), dueAt: isPast() },
      order: { dueAt: 'ASC' },
      take: most,
    });
  }

  /** Whoever asks has locked the rule. null: it is not due any more. */
  stillDue(id: string): Promise<AlertMessage | null> {
    return this.messages.findOneBy({ id, status: In([...OPEN]), dueAt: isPast() });
  }

  /** How many a workspace has attempted within a minute. Until the transaction ends, nobody else attempts one of it. */
  async attemptedLately(workspaceId: string): Promise<number> {
    await this.database.lock(`alert messages of ${workspaceId}`);
    return this.messages.countBy({ workspaceId, attemptedAt: withinSeconds(60) });
  }

  /** Whoever does not come back within so many seconds has died: it is attempted again. */
  async begin({ id, attempts }: AlertMessage, seconds: number): Promise<void> {
    const change = { status: 'sending', attempts: attempts + 1, attemptedAt: NOW, dueAt: inSeconds(seconds) };
    await this.messages.update({ id }, change as object);
  }

  async postpone(ids: readonly string[], seconds: number): Promise<void> {
    await this.messages.update({ id: In([...ids]) }, { dueAt: inSeconds(seconds) });
  }

  /** Does nothing where another process has begun a later attempt. */
  async sent(id: string, attempts: number): Promise<void> {
    await this.messages.update(
      { id, attempts, status: 'sending' },
      { status: 'sent', sentAt: NOW, error: null },
    );
  }

  /** The same. `seconds` until the next attempt; null: none follows. */
  async failed(id: string, attempts: number, error: string, seconds: number | null): Promise<void> {
    await this.messages.update(
      { id, attempts, status: 'sending' },
      seconds === null ? { status: 'failed', error } : { error, dueAt: inSeconds(seconds) },
    );
  }

  @Expires({ after: KEPT_MS })
  deleteOld(expired: Expired): Promise<number> {
    return deleteOldest(this.messages, 'createdAt', expired);
  }
}
