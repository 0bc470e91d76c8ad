/** Counts what is under way, by whose it is. */
export class UnderWay {
  private readonly counts = new Map<string, number>();

  of(owner: string): number {
    return this.counts.get(owner) ?? 0;
  }

  /** `work` counts from now until it has ended. */
  async during<T>(owner: string, work: () => Promise<T>): Promise<T> {
    this.counts.set(owner, this.of(owner) + 1);
    try {
      return await work();
    } finally {
      const left = this.of(owner) - 1;
      if (left > 0) this.counts.set(owner, left);
      else this.counts.delete(owner);
    }
  }
}
