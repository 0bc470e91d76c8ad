import type { ServiceConnection, ServiceProtocol } from './service-protocol.js';

/** Where writes are held: nobody can tell what would be sent over the connection. */
export class RefusedProtocol implements ServiceProtocol {
  serve({ box, refused, withheld }: ServiceConnection): void {
    withheld('CONNECT', '', Buffer.alloc(0));
    refused('the run is only planned, and what would go over such a connection cannot be told');
    box.destroy();
  }
}
