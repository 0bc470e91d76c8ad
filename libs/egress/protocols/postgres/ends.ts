import type { OneWay } from './one-way.js';

/** The two directions of a session, for who decides what goes over them. */
export interface Ends {
  readonly toServer: Pick<OneWay, 'write' | 'goOn' | 'listen'>;
  readonly toClient: Pick<OneWay, 'write' | 'goOn'>;
  /** A server's error or notice, for the client. */
  tell(whole: Buffer): void;
  /** A statement does not pass. @param reason a clause */
  refused(reason: string): void;
  /** Ends both connections because of the client. @param reason a clause */
  cutClient(reason: string): void;
  /** Ends both connections because of the server. @param reason a clause */
  cutServer(reason: string): void;
}
