/**
 * What a page of large items has at most, in bytes. It ends before `limit` then, but after at least one item. With 2
 * MiB, the largest items (a request to approve a run with 1 MiB of inputs) do not take a page each.
 */
export const PAGE_BYTES = 2 * 1024 * 1024;

interface BoundedPage {
  /** Selects `id` and `bytes` of the rows of a page without bound, newest first: from stored sizes, so that nothing large is read. */
  candidates: string;
  /** What is shown of an item. */
  columns: string;
  /** From where; `page.id` is the item's id. */
  tables: string;
}

/** A statement for rows of `keysetPage`, which learns from `found` that there are more than came. */
export function boundedPage({ candidates, columns, tables }: BoundedPage): string {
  return `
    WITH measured AS MATERIALIZED (
      SELECT id, sum(bytes) OVER so_far AS total, row_number() OVER so_far AS place, count(*) OVER () AS found
      FROM (${candidates}) AS candidate
      WINDOW so_far AS (ORDER BY id DESC)
    ), page AS MATERIALIZED (
      SELECT id, found FROM measured WHERE place = 1 OR total <= ${PAGE_BYTES}
    )
    SELECT ${columns}, page.found ${tables} ORDER BY page.id DESC`;
}
