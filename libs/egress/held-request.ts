/** A request of the script of which nothing has left: no byte, no connection, no look-up of its host's name. */
export interface HeldRequest {
  /** This gate's, from 1. */
  number: number;
  /** When it was there whole, in milliseconds since 1970. */
  at: number;
  protocol: 'https' | 'http' | 'postgres';
  /** As in the counts: `api.example.com`, with the port unless it is 443. */
  host: string;
  /** Of PostgreSQL, the command of the statement. */
  method: string;
  /** Path and query; of PostgreSQL, the database. */
  target: string;
  /** Names and values as the script sent them. No secret of the gate's is among them. */
  headers: [name: string, value: string][];
  body: HeldBody;
  /** Of all that will be sent, but for the values of secrets; in hexadecimal. */
  sha256: string;
}

export interface HeldBody {
  bytes: number;
  sha256: string;
  /** The beginning, up to 64 KiB; null where it is not UTF-8. */
  text: string | null;
  /** Whether there is more than the text. */
  cut: boolean;
}

export const MAX_HELD_TEXT_BYTES = 65_536;
