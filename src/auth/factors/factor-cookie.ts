import { Injectable } from '@nestjs/common';

import { Settings } from '../../core/config/index.js';
import { HostCookie } from '../../core/http/index.js';

/** Binds a challenge to the browser that has got it. A second one in the same browser takes the first one's place. */
@Injectable()
export class FactorCookie extends HostCookie {
  constructor(settings: Settings) {
    super('gatehouse_second_factor', settings);
  }
}
