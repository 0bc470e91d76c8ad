/** Lets so many works be under way at a time; the others wait for their turn. */
export class Limiter {
  private readonly waiting: (() => void)[] = [];
  private underWay = 0;

  constructor(private readonly most: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.underWay >= this.most) await new Promise<void>((go) => this.waiting.push(go));
    else this.underWay += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.underWay -= 1;
    }
  }
}
