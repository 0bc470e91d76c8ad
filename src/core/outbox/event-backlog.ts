import {
  type FindOptionsOrder,
  type FindOptionsWhere,
  In,
  Not,
  type QueryDeepPartialEntity,
  type Repository,
} from 'typeorm';

import { isDatabaseAway } from '../database/index.js';
import { Bulkhead } from '../work/index.js';

/** Says that something has still to be done about an event. */
interface Noted {
  eventId: string;
}

/** Works off the notes of an owner that it reads by `next`. */
type Portion<Row> = (owner: string, next: () => Promise<Row[]>) => Promise<number>;

const OWNERS = 50;
/** Of one owner, before others have their turn. */
const PORTIONS = 10;
/** A statement takes 65,535 parameters. */
const MOST_ROWS = 5_000;

/**
 * Events that something has still to be done about. They are noted in the transaction that dispatches them. A loop works them off in
 * the order in which they happened, and deletes each note in the transaction that does its work. Where a portion fails, its notes
 * are worked off singly: one that fails three times is dropped.
 */
export abstract class EventBacklog<Row extends Noted> {
  private readonly bulkhead: Bulkhead;

  /** @param owner the column of whoever has turns of their own, such as the workspace */
  protected constructor(
    protected readonly notes: Repository<Row>,
    private readonly owner: Exclude<keyof Row & string, 'eventId'>,
  ) {
    this.bulkhead = new Bulkhead(notes.metadata.tableName, (key) => this.drop(key));
  }

  /** What is noted already is left as it is. */
  async note(notes: readonly Row[]): Promise<void> {
    for (let from = 0; from < notes.length; from += MOST_ROWS) {
      await this.notes
        .createQueryBuilder()
        .insert()
        .values(notes.slice(from, from + MOST_ROWS) as QueryDeepPartialEntity<Row>[])
        .orIgnore()
        .updateEntity(false)
        .execute();
    }
  }

  /**
   * Gives each owner turns, the one whose oldest note has waited longest first.
   *
   * @param size how many notes a portion has
   * @param portion works off those that `next` reads, and returns how many they were
   * @returns whether there may be more
   */
  async workOff(size: number, portion: Portion<Row>): Promise<boolean> {
    let more = false;
    for (const owner of await this.owners()) {
      try {
        let count = size;
        const next = (): Promise<Row[]> => this.next(owner, size);
        for (let turn = 0; turn < PORTIONS && count === size; turn++) count = await portion(owner, next);
        more ||= count === size;
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        const keys = (await this.next(owner, size)).map(({ eventId }) => `${owner} ${eventId}`);
        await this.bulkhead.each(keys, (key) => portion(owner, () => this.notes.findBy(this.byKey(key))));
      }
    }
    return more;
  }

  /** In the order in which they happened. */
  private next(owner: string, most: number): Promise<Row[]> {
    const order = { eventId: 'ASC' } as FindOptionsOrder<Row>;
    const where = { ...this.of(owner), ...this.isNotWaiting() };
    return this.notes.find({ where, order, take: most });
  }

  /** Deletes notes. Returns those events of which they were there: each is for one process only. */
  async take(owner: string, notes: readonly Row[]): Promise<Set<string>> {
    const { raw } = await this.notes
      .createQueryBuilder()
      .delete()
      .where({ ...this.of(owner), eventId: In(notes.map(({ eventId }) => eventId)) })
      .returning('event_id')
      .execute();
    return new Set((raw as { event_id: string }[]).map(({ event_id }) => event_id));
  }

  private async owners(): Promise<string[]> {
    const rows = await this.notes
      .createQueryBuilder('n')
      .select(`n.${this.owner}`, 'id')
      .where(this.isNotWaiting())
      .groupBy(`n.${this.owner}`)
      .orderBy('min(n.eventId)')
      .limit(OWNERS)
      .getRawMany<{ id: string }>();
    return rows.map(({ id }) => id);
  }

  private async drop(key: string): Promise<void> {
    await this.notes.delete(this.byKey(key));
  }

  private byKey(key: string): FindOptionsWhere<Row> {
    const [owner, eventId] = key.split(' ') as [string, string];
    return { ...this.of(owner), eventId };
  }

  /** Of other owners, an event that waits may be passed over for a while. */
  private isNotWaiting(): FindOptionsWhere<Row> {
    const waiting = this.bulkhead.waiting.map((key) => key.split(' ')[1]!);
    return (waiting.length === 0 ? {} : { eventId: Not(In(waiting)) }) as FindOptionsWhere<Row>;
  }

  private of(owner: string): FindOptionsWhere<Row> {
    return { [this.owner]: owner } as FindOptionsWhere<Row>;
  }
}
