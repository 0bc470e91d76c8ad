import {
  type FindOptionsOrder,
  type FindOptionsWhere,
  In,
  type QueryDeepPartialEntity,
  type Repository,
} from 'typeorm';

/** Says that something has still to be done about an event. */
interface Noted {
  eventId: string;
}

const OWNERS = 50;
/** Of one owner, before others have their turn. */
const PORTIONS = 10;
/** A statement takes 65,535 parameters. */
const MOST_ROWS = 5_000;

/**
 * Events that something has still to be done about. They are noted in the transaction that dispatches them. A loop works them off in
 * the order in which they happened, and deletes each note in the transaction that does its work.
 */
export abstract class EventBacklog<Row extends Noted> {
  /** @param owner the column of whoever has turns of their own, such as the workspace */
  protected constructor(
    protected readonly notes: Repository<Row>,
    private readonly owner: Exclude<keyof Row & string, 'eventId'>,
  ) {}

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
   * @param portion works off the next ones of an owner, and returns how many they were
   * @returns whether there may be more
   */
  async workOff(size: number, portion: (owner: string) => Promise<number>): Promise<boolean> {
    let more = false;
    for (const owner of await this.owners()) {
      let count = size;
      for (let turn = 0; turn < PORTIONS && count === size; turn++) count = await portion(owner);
      more ||= count === size;
    }
    return more;
  }

  /** In the order in which they happened. */
  next(owner: string, most: number): Promise<Row[]> {
    const order = { eventId: 'ASC' } as FindOptionsOrder<Row>;
    return this.notes.find({ where: this.of(owner), order, take: most });
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
      .groupBy(`n.${this.owner}`)
      .orderBy('min(n.eventId)')
      .limit(OWNERS)
      .getRawMany<{ id: string }>();
    return rows.map(({ id }) => id);
  }

  private of(owner: string): FindOptionsWhere<Row> {
    return { [this.owner]: owner } as FindOptionsWhere<Row>;
  }
}
