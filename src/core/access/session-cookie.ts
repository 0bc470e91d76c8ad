import { Injectable } from '@nestjs/common';

import { Settings } from '../config/settings.js';
import { HostCookie } from '../http/host-cookie.js';

/** The cookie of a session. */
@Injectable()
export class SessionCookie extends HostCookie {
  constructor(settings: Settings) {
    super('gatehouse_session', settings);
  }
}
