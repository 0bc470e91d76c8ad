/** What waits for its turn, and on whose account. */
interface Waiting<T> {
  owner: string;
  item: T;
}

/**
 * A queue in which owners take turns: however much one of them has sent, another's next item waits for one of each
 * owner at most.
 */
export class FairQueue<T> {
  /** In the order of the owners' turns. An owner with nothing waiting is not in it. */
  private readonly owners = new Map<string, Set<T>>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  sizeOf(owner: string): number {
    return this.owners.get(owner)?.size ?? 0;
  }

  push(owner: string, item: T): void {
    const items = this.owners.get(owner);
    if (items) items.add(item);
    else this.owners.set(owner, new Set([item]));
    this.count += 1;
  }

  /** The oldest item of the owner whose turn it is, which then goes behind all others. */
  shift(): Waiting<T> | null {
    for (const [owner, items] of this.owners) {
      const [item] = items;
      this.owners.delete(owner);
      items.delete(item!);
      this.count -= 1;
      if (items.size > 0) this.owners.set(owner, items);
      return { owner, item: item! };
    }
    return null;
  }

  /** Whether it was still waiting. */
  remove(owner: string, item: T): boolean {
    const items = this.owners.get(owner);
    if (!items?.delete(item)) return false;
    this.count -= 1;
    if (items.size === 0) this.owners.delete(owner);
    return true;
  }
}
