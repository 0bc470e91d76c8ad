import type net from 'node:net';
import { type FrameHandler, Frames } from './frames.js';

/** Bytes that are kept of what follows while it is listened to. */
const MOST_WAITING = 65_536;

/** Bytes of one socket on their way to the other, no faster than that one takes them. */
export class OneWay {
  private readonly frames: Frames;
  private rest: Buffer | null = null;
  private isFull = false;
  private onFlood: (() => void) | null = null;

  constructor(
    private readonly from: net.Socket,
    private readonly to: net.Socket,
    handler: FrameHandler,
  ) {
    this.frames = new Frames(handler);
  }

  /** Whether the last message is complete. */
  get isBetween(): boolean {
    return this.frames.isBetween;
  }

  start(): void {
    this.from.on('data', (chunk: Buffer) => this.read(chunk));
    this.from.once('end', () => this.to.end());
    // What is left is still written, if anybody reads it.
    this.from.once('close', () => this.to.destroySoon());
  }

  write(bytes: Buffer): void {
    if (this.to.destroyed || this.to.writableEnded || this.to.write(bytes) || this.isFull) return;
    this.isFull = true;
    this.from.pause();
    this.to.once('drain', () => {
      this.isFull = false;
      this.goOn();
    });
  }

  /**
   * While what was said waits for long, more is read, so that it is noticed when the sender goes.
   *
   * @param onFlood gets to know of more than can be kept. null: it waits no longer
   */
  listen(onFlood: (() => void) | null): void {
    this.onFlood = onFlood;
    if (onFlood) this.from.resume();
    else if (this.isFull) this.from.pause();
  }

  /** After a `stop`: what waits is read again. */
  goOn(): void {
    const { rest } = this;
    if (this.isFull) return;
    this.rest = null;
    if (rest) this.read(rest);
    if (this.rest === null && !this.isFull) this.from.resume();
  }

  private read(chunk: Buffer): void {
    // One after another may still come after a pause.
    if (this.rest) this.rest = Buffer.concat([this.rest, chunk]);
    else this.rest = this.frames.read(chunk);
    if (!this.rest || (this.onFlood && this.rest.length <= MOST_WAITING)) return;
    this.from.pause();
    this.onFlood?.();
  }
}
