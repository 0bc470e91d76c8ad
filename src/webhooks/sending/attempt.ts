import type { KeyObject } from 'node:crypto';

/** What is sent: the same bytes at every attempt. */
export interface Message {
  /** The delivery's id. */
  id: string;
  body: string;
}

/** What its trace tells of an attempt: neither where it goes nor what is sent. */
export interface AttemptOrigin {
  /** The trace of the event; null: none. */
  traceparent: string | null;
  eventId: string;
  eventType: string;
  endpointId: string;
  /** 1 for the first attempt. */
  number: number;
}

/** Where to, and how it is signed. */
export interface SendTarget {
  url: string;
  /** One, or after a rotation two. */
  keys: readonly KeyObject[];
}

/** What of a request is not the event's: the endpoint may have another address later, and other secrets. */
export interface SentRequest {
  url: string;
  /** The header `webhook-signature`. */
  signature: string;
}

/** What came of one attempt. */
export interface AttemptOutcome extends SentRequest {
  ok: boolean;
  /** null: there was no response. */
  status: number | null;
  /** Why it failed, where the status does not say it. */
  error: string | null;
  durationMs: number;
  /** The beginning of the response's body; null: there was no response. */
  response: string | null;
  /** How long the receiver asks us to wait, in milliseconds. */
  retryAfterMs: number | null;
  at: Date;
}

/** An attempt as it is written. */
export interface RecordedAttempt extends AttemptOutcome {
  endpointId: string;
  deliveryId: string;
  /** 1 for the first. */
  number: number;
}
