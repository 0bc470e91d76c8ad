/** Where what is claimed is to go. */
export interface Places {
  /** How many are free. */
  room: number;
  /** How many of all, free or not, one workspace may have where it is not the only one; likewise all of one owner. */
  share: number;
  /** Places that are neither free nor taken yet, a workspace for each: rows are being written for them. */
  kept: string[];
}

export interface Claimed<T> {
  items: T[];
  /** Another worker was quicker for some; what waits behind those may still be taken. */
  missed: boolean;
  /** Something waits that a free place here is not for, since its workspace or owner has its share of them. */
  passedOver: boolean;
}

/** How many of a worker's places one workspace, or owner, may have: a part of them, rounded up, but never all of more than one. */
export function shareOf(places: number, part: number): number {
  return Math.max(1, Math.min(Math.ceil(places * part), places - 1));
}

type ClaimRow<T> = Omit<Claimed<unknown>, 'items'> & (T | { id: null });

/** The rows of a claim: its summary stands in each, and alone in one where nothing was taken. */
export function claimedOf<T extends { id: string }>(rows: ClaimRow<T>[]): Claimed<T> {
  const { missed, passedOver } = rows[0]!;
  return { items: rows.filter((row): row is ClaimRow<T> & T => row.id !== null), missed, passedOver };
}
