import { Injectable } from '@nestjs/common';

import { Unauthorized } from '../errors/index.js';
import type { AccessRequest } from './access-request.js';
import { Authenticator } from './authenticator.js';
import { letIn } from './let-in.js';

/**
 * The guards decide before they let a body be read, and a client may take minutes to send one. So a request whose body was not
 * all there at that time is judged once more when it is: by then its caller may have lost what the guards saw.
 */
@Injectable()
export class LateBodyCheck {
  constructor(private readonly authenticator: Authenticator) {}

  /**
   * To be called when the body has been read, before anything comes of it. Costs nothing where the body came at once.
   *
   * @throws ProblemError as the guards do
   */
  async afterBody(request: AccessRequest): Promise<void> {
    if (!request.bodyIsDue) return;
    const identity = await this.authenticator.identify(request);
    if (!identity) throw new Unauthorized();
    letIn(request, identity);
  }
}
