import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { HostSet } from '../host-set.js';
import { Inside, Outside } from './gate-fixture.js';
import { type Origin, startRawOrigin } from './origin.js';

export const SECRET = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
const DECLARED = ['api.test', 'second.test', 'xn--bcher-kva.test'];

/** A gate with small limits before a host that notes every byte: a new gate for each test. */
export class AttackedGate {
  outside!: Outside;
  inside!: Inside;
  origin!: Origin;
  /** Everything that reached the host, byte by byte. */
  reached = '';

  /** To be called within `describe`. */
  static forEach(): AttackedGate {
    const scene = new AttackedGate();
    beforeAll(() => scene.start());
    beforeEach(() => scene.open());
    afterEach(() => scene.inside.close());
    afterAll(() => scene.outside.close());
    return scene;
  }

  /** As `api.test` stands in a Host header. */
  host(): string {
    return `api.test:${this.origin.port}`;
  }

  /** Fails unless a request goes through within ten seconds. */
  async expectToServe(): Promise<void> {
    const request = `GET / HTTP/1.1\r\nHost: ${this.host()}\r\n\r\n`;
    const send = () => this.inside.raw('api.test', request).catch(() => '');
    await expect.poll(async () => status(await send())).toBe('200');
  }

  private async start(): Promise<void> {
    this.outside = await Outside.open();
    this.origin = await this.outside.keep(
      startRawOrigin(this.outside.credentials(...DECLARED), (socket) => {
        socket.on('data', (chunk: Buffer) => {
          this.reached += chunk.toString('latin1');
          if (/\r\n\r\n/.test(this.reached)) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
        });
      }),
    );
  }

  private async open(): Promise<void> {
    this.reached = '';
    const hosts = new HostSet([this.host()]);
    this.inside = await Inside.open(this.outside, this.origin.port, {
      declared: DECLARED,
      secrets: [{ name: 'KEY', hosts, header: 'X-Api-Key', value: SECRET }],
      timeouts: { headersMs: 1000, handshakeMs: 1000 },
      limits: { headerBytes: 16_384, undeclaredNames: 5, connections: 40, requests: 20 },
    });
  }
}

/** Of a response as it came over the wire. */
export const status = (text: string): string => text.slice(9, 12);
