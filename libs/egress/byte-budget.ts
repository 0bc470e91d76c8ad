/** How many bytes may be held at a time, by all who share it. */
export class ByteBudget {
  private held = 0;

  constructor(readonly most: number) {}

  /** @returns false where there is no room */
  take(bytes: number): boolean {
    if (this.held + bytes > this.most) return false;
    this.held += bytes;
    return true;
  }

  give(bytes: number): void {
    this.held -= bytes;
  }
}
