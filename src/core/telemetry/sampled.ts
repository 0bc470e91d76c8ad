/** A figure is asked for anew when it is older than this, however often somebody looks. */
const KEPT_MS = 5_000;

/** A figure of the database for a gauge: asked for seldom, and NaN where it cannot be had, which fails no other metric. */
export class Sampled {
  private sample: Promise<number> | null = null;
  private sampledAt = 0;

  constructor(private readonly ask: () => Promise<number>) {}

  value(): Promise<number> {
    if (!this.sample || performance.now() - this.sampledAt > KEPT_MS) {
      this.sampledAt = performance.now();
      this.sample = this.ask().catch(() => NaN);
    }
    return this.sample;
  }
}
