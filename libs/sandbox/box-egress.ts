import type { BoxNetwork, BoxPlace, BoxSockets, SocketHandle } from './box.js';
import type { SocketListener } from './launcher-process.js';

/**
 * The sockets that one box's egress goes through. The launcher opens them in the box's network namespace; here they are
 * gathered, and closed with the box, because the namespace lives as long as one of them. They are not read here.
 */
export class BoxEgress {
  private readonly servers: BoxSockets['servers'] = [];
  private dns: SocketHandle | null = null;
  private closed = false;

  /**
   * @param run the number that its sockets come with.
   * @param onComplete gets them once all are there; never after {@link close}.
   */
  constructor(
    private readonly run: number,
    private readonly places: readonly BoxPlace[],
    private readonly onComplete: (sockets: BoxSockets) => void,
  ) {}

  /** Takes a socket; closes one that is too late or another run's. */
  readonly add: SocketListener = (message, handle) => {
    if (this.closed || message.run !== this.run) {
      handle.close();
      return;
    }
    if ('port' in message) this.servers.push({ address: message.address, port: message.port, handle });
    else this.dns = handle;
    if (this.dns && this.servers.length === this.places.length) {
      this.onComplete({ servers: [...this.servers], dns: this.dns });
    }
  };

  /** Connections that are open already stay with whoever serves them: their last bytes may still be on their way. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    for (const { handle } of this.servers) handle.close();
    this.dns?.close();
  }
}

const LOOPBACK = '127.0.0.1';
const HTTPS_PORT = 443;

/** Where the box's egress listens. */
export function placesOf({ ports, apart = [] }: BoxNetwork): BoxPlace[] {
  const shared = [...new Set([HTTPS_PORT, ...ports])].map((port) => ({ address: LOOPBACK, port }));
  return [...shared, ...apart.map(({ address, port }) => ({ address, port }))];
}
