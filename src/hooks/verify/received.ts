/** A request as it came in, before anything of it is believed. */
export interface Received {
  /** Each name once, in small letters. */
  headers: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** As it was sent, byte by byte. */
  body: Buffer;
  /** By our clock, in seconds. */
  now: number;
}

/** Whether a request proves where it comes from. */
export type Verdict =
  | { verified: true; /** The sender's own name for the request, to know it again. */ id: string | null }
  | {
      verified: false;
      /** In words for whoever looks after the hook; nothing that was sent is in it. */ reason: string;
    };

export function refused(reason: string): Verdict {
  return { verified: false, reason };
}
