import { MOST_TEXT_BYTES, MOST_WHOLE, type WithheldRequest } from '../../../libs/egress/index.js';
import { type MaskedRequest, maskedRequest } from './masked-request.js';

export type NumberedRequest = MaskedRequest & { number: number };

/** Writes down what a plan would have sent. The gate limits what it tells itself; this applies should it not. */
export class PlanRecorder {
  private count = 0;
  private written = 0;
  private textBytes = 0;
  private waiting: NumberedRequest[] = [];
  private writing: Promise<void> = Promise.resolve();

  /**
   * @param write is called for one portion at a time, with how many there have been so far
   * @param mask hides the run's secrets in a whole text
   */
  constructor(
    private readonly write: (count: number, requests: readonly NumberedRequest[]) => Promise<void>,
    private readonly mask: (text: string) => string,
  ) {}

  readonly note = (request: WithheldRequest): void => {
    this.count += 1;
    if (this.count > MOST_WHOLE) return;
    this.waiting.push({ ...this.bounded(request), number: this.count });
    this.flush();
  };

  /** Writes how many there have been in all. */
  close(): Promise<void> {
    this.flush();
    return this.writing;
  }

  /** Where it fails, some are missing, and the run goes on. */
  private flush(): void {
    this.writing = this.writing
      .then(async () => {
        if (this.written === this.count) return;
        const [count, requests] = [this.count, this.waiting];
        this.waiting = [];
        await this.write(count, requests);
        this.written = count;
      })
      .catch(() => undefined);
  }

  private bounded(request: WithheldRequest): MaskedRequest {
    const shown = maskedRequest(request, this.mask);
    const bytes = Buffer.byteLength(shown.bodyText ?? '');
    if (this.textBytes + bytes > MOST_TEXT_BYTES)
      return { ...shown, bodyText: null, bodySha256: request.body.sha256 };
    this.textBytes += bytes;
    return shown;
  }
}
