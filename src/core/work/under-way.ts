/** Knows what is under way, by whose it is. */
export class UnderWay {
  private readonly works = new Set<{ owner: string }>();

  /** Whose it is, once for each. */
  owners(): string[] {
    return [...this.works].map(({ owner }) => owner);
  }

  /** `work` counts from now until it has ended. */
  async during<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const entry = { owner };
    this.works.add(entry);
    try {
      return await work();
    } finally {
      this.works.delete(entry);
    }
  }
}
