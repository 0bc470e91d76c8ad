import { Injectable } from '@nestjs/common';

import { Settings } from '../config/index.js';
import { HostCookie } from '../http/index.js';

@Injectable()
export class SessionCookie extends HostCookie {
  constructor(settings: Settings) {
    super('gatehouse_session', settings);
  }
}
