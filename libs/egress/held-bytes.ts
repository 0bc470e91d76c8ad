/** Chunks below this size are gathered, so that a stream of single bytes does not become as many objects. */
const SMALL = 1024;
const PAGE = 16_384;

/** Bytes that came in and have not gone out, first in, first out. */
export class HeldBytes {
  length = 0;
  private readonly parts: Buffer[] = [];
  private page: Buffer = Buffer.alloc(0);
  private used = 0;
  /** Whether the last part is the page's, up to where it is used. */
  private gathering = false;

  add(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.length += chunk.length;
    if (chunk.length < SMALL) return this.gather(chunk);
    this.parts.push(chunk);
    this.gathering = false;
  }

  /** The first so many, which are held no longer. */
  take(count: number): Buffer[] {
    const taken: Buffer[] = [];
    let left = count;
    let whole = 0;
    for (; left > 0; whole++) {
      const part = this.parts[whole]!;
      if (part.length > left) {
        taken.push(part.subarray(0, left));
        this.parts[whole] = part.subarray(left);
        break;
      }
      taken.push(part);
      left -= part.length;
    }
    this.parts.splice(0, whole);
    if (this.parts.length === 0) this.gathering = false;
    this.length -= count;
    return taken;
  }

  private gather(chunk: Buffer): void {
    if (this.used + chunk.length > this.page.length) {
      this.page = Buffer.allocUnsafeSlow(PAGE);
      this.used = 0;
      this.gathering = false;
    }
    const at = this.used;
    this.used += chunk.copy(this.page, at);
    if (!this.gathering) this.parts.push(this.page.subarray(at, this.used));
    else {
      const last = this.parts.length - 1;
      this.parts[last] = this.page.subarray(at - this.parts[last]!.length, this.used);
    }
    this.gathering = true;
  }
}
