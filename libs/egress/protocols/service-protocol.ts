import type { Socket } from 'node:net';
import type { Refusal } from '../refusal.js';

/** A connection of a box to one declared host that it reaches otherwise than by HTTPS. */
export interface ServiceConnection {
  /** The script's end: its bytes are hostile. It is destroyed with the run, and after a while without a byte. */
  readonly box: Socket;
  /** In its one form, lower case. */
  readonly host: string;
  readonly port: number;
  /**
   * Connects outward through the one safe dialer; what goes over it is counted for the run. It is destroyed with the box's end.
   * @throws EgressError with a reason for people
   */
  dial(): Promise<Socket>;
  /** The secret of the host has been used. */
  secretUsed(): void;
  /**
   * Tells of what is not sent, since the run only reads: a connection, or a statement.
   *
   * @param target of PostgreSQL, the database
   */
  withheld(method: string, target: string, body: Buffer): void;
  /** Asks a person about a statement, of which nothing has left. @returns null where it may be sent */
  held(statement: HeldStatement, gone: AbortSignal): Promise<Refusal | null>;
  /** A line of the run's log: why the gate has refused something. No secret, nothing that a host has said. Counts as denied. */
  refused(reason: string): void;
  /** A line of the run's log: what has gone wrong outside. */
  failed(reason: string): void;
}

export interface HeldStatement {
  /** Its command. */
  method: string;
  /** The database, as a path. */
  target: string;
  shown: Buffer;
  /** Of all that will be sent. */
  sha256: string;
}

/** How a gate serves the connections of one run to one host. */
export interface ServiceProtocol {
  /** Serves a connection until either end closes it, and bounds all that it keeps. It throws nothing. */
  serve(connection: ServiceConnection): void;
}
