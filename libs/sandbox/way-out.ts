import type { Socket as DatagramSocket } from 'node:dgram';
import type { Server, Socket } from 'node:net';
import type { BoxSockets } from './box.js';
import type { SocketListener } from './launcher-process.js';

/**
 * The worker's ends of one box's way out. The launcher opens them in the box's network namespace; here they are gathered,
 * and closed with the box, for the namespace lives as long as one of them.
 */
export class WayOut {
  private readonly servers: BoxSockets['servers'] = [];
  private readonly connections = new Set<Socket>();
  private dns: DatagramSocket | null = null;
  private closed = false;

  /**
   * @param run the number that its sockets come with.
   * @param onComplete gets them once all are there; never after {@link stopListening}.
   */
  constructor(
    private readonly run: number,
    private readonly ports: readonly number[],
    private readonly onComplete: (sockets: BoxSockets) => void,
  ) {}

  /** Takes a socket; closes one that is too late or another run's. */
  readonly add: SocketListener = (message, socket) => {
    // Whoever serves them may listen as well; nobody's error may end the worker.
    socket.on('error', () => undefined);
    if (this.closed || message.run !== this.run) {
      socket.close();
      return;
    }
    if ('port' in message) this.addServer(message.port, socket as Server);
    else this.dns = socket as DatagramSocket;
    if (this.dns && this.servers.length === this.ports.length) {
      this.onComplete({ servers: [...this.servers], dns: this.dns });
    }
  };

  /** What is connected stays: the last bytes of the box may still be on their way. */
  stopListening(): void {
    if (this.closed) return;
    this.closed = true;
    for (const { server } of this.servers) server.close();
    try {
      this.dns?.close();
    } catch {
      // Whoever served it has closed it.
    }
  }

  /** Ends the connections, too. */
  close(): void {
    this.stopListening();
    for (const socket of this.connections) socket.destroy();
  }

  private addServer(port: number, server: Server): void {
    this.servers.push({ port, server });
    server.on('connection', (socket: Socket) => {
      this.connections.add(socket);
      socket.once('close', () => this.connections.delete(socket));
    });
  }
}
