import { Injectable } from '@nestjs/common';

import { Settings } from '../core/config/index.js';
import { HostCookie } from '../core/http/index.js';

/** Binds a sign-in to the browser that has begun it. A second one in the same browser takes the first one's place. */
@Injectable()
export class SignInCookie extends HostCookie {
  constructor(settings: Settings) {
    super('gatehouse_sign_in', settings);
  }
}
