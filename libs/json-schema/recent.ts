/** Keeps what was used lately, up to a total size. */
export class Recent<T> {
  // A Map keeps its order of insertion: what was used last stands last, and the first is the one to drop.
  private readonly entries = new Map<string, { value: T; size: number }>();
  private total = 0;

  constructor(private readonly most: number) {}

  get(key: string): T | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  /** Once, for a key that is not there. */
  add(key: string, value: T, size: number): T {
    this.entries.set(key, { value, size });
    this.total += size;
    for (const [oldest, entry] of this.entries) {
      if (this.total <= this.most || oldest === key) break;
      this.entries.delete(oldest);
      this.total -= entry.size;
    }
    return value;
  }
}
