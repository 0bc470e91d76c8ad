import { PageOf } from '../core/http/index.js';

export class SessionDto {
  id: string;

  /** What signed in, as far as it says of itself: `Firefox on Windows`. */
  device: string;

  /** The address that it was last used from; null where that was not kept. */
  address: string | null;

  /** Whether it is the one that asks. */
  current: boolean;

  createdAt: string;

  /** To within a quarter of a minute. */
  lastUsedAt: string;

  expiresAt: string;
}

export class SessionPage extends PageOf(SessionDto) {}
