import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

const MOST_COUNTED = 100_000;

/** How many rows there are, counted no further than is worth knowing. */
export async function countSome<Row extends ObjectLiteral>(rows: SelectQueryBuilder<Row>): Promise<number> {
  const some = rows.select('1').limit(MOST_COUNTED);
  const counted = await some
    .createQueryBuilder()
    .select('count(*)::int', 'count')
    .from(`(${some.getQuery()})`, 'some')
    .setParameters(some.getParameters())
    .getRawOne<{ count: number }>();
  return counted!.count;
}
