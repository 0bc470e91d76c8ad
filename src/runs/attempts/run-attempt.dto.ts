import { ApiPropertyOptional } from '@nestjs/swagger';

export class RunNetworkDto {
  /** With its port where that is not 443. `(port 5432)` counts connections to a port that the gate does not serve, whatever their host. */
  host: string;

  /** Requests that were let through. */
  requests: number;

  /** Requests, or connections to such a port, that were refused; the log says why. */
  denied: number;

  bytesIn: number;

  bytesOut: number;

  /** Of a host that is not reached by HTTP: connections that were made to it. */
  @ApiPropertyOptional({ type: 'integer' })
  connections?: number;

  /** How long those were open, together. */
  @ApiPropertyOptional({ type: 'integer' })
  seconds?: number;
}

/** One try to carry a run out. */
export class RunAttemptDto {
  /** Counted from 1. */
  attempt: number;

  /** Why it did not end well. */
  error: string | null;

  /** When its command began; null where it never did. */
  startedAt: string | null;

  finishedAt: string | null;

  durationMs: number | null;

  network: RunNetworkDto[];

  /** How many lines its part of the log has had. */
  logLines: number;
}
