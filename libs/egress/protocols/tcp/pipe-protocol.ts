import { describeDialError } from '../describe-dial-error.js';
import { join } from '../../join.js';
import type { ServiceConnection, ServiceProtocol } from '../service-protocol.js';

/** A pipe: whatever it is that the two speak. */
export class PipeProtocol implements ServiceProtocol {
  serve({ box, dial, failed }: ServiceConnection): void {
    void dial().then(
      (host) => join(box, host),
      (error: unknown) => {
        failed(describeDialError(error));
        box.destroy();
      },
    );
  }
}
