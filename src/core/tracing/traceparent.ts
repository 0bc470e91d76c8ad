/** Where a trace goes on, as it is written between processes (W3C Trace Context, version 00). */
interface TraceContext {
  traceId: string;
  spanId: string;
  /** Whether its spans are recorded. */
  sampled: boolean;
}

const FORM = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The check of a column that holds one, as this process writes them. */
export const TRACEPARENT_CHECK = `"traceparent" ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$'`;

/** null where the text is no `traceparent` of version 00: what is not understood begins a trace of its own. */
export function parseTraceparent(text: string | null): TraceContext | null {
  const [, traceId, spanId, flags] = FORM.exec(text ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function writeTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-0${sampled ? '1' : '0'}`;
}
