/**
 * What a span says besides its name: ids, statuses, counts and names that this program or a version's declaration gives.
 * Never what somebody wrote, sent or stored, no address with a path, no header.
 */
export type SpanFacts = Record<string, string | number | boolean>;

export interface SpanStart {
  /** `server`: a request to us; `client`: one of ours; `consumer`: work that a row asked for. Default: `internal`. */
  kind?: 'internal' | 'server' | 'client' | 'consumer';
  /** A row's `traceparent`, or a span's own; null: it begins a trace. */
  parent: string | null;
  /** The parent is a client's: its trace is gone on with, and whether that is recorded is our own decision. */
  fromClient?: boolean;
  /** In milliseconds since 1970. Default: now. */
  at?: number;
  facts?: SpanFacts;
}

/** A piece of work within a trace. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** For rows and for spans below: what follows from this goes on from here. */
  readonly traceparent: string;
  set(facts: SpanFacts): void;
  rename(name: string): void;
  /** It is sent now, and says nothing more. @param at in milliseconds since 1970; default: now */
  end(how?: { failed?: boolean; at?: number }): void;
}

/** Where spans come from and go to. */
export interface SpanSource {
  begin(name: string, start: SpanStart): Span;
  /** Sends what waits, for a moment at most. */
  close(): Promise<void>;
}

/** What a line of the log says of the trace that it is about, under the names that OpenTelemetry has for it. */
export function logFieldsOf({ traceId, spanId }: Span): Record<string, string> {
  return { trace_id: traceId, span_id: spanId };
}
