import type { IncomingMessage, RequestListener } from 'node:http';

import { Webhook } from 'standardwebhooks';

/** Takes deliveries, and hears from each run that it is executed. */
export class Receiver {
  /** How often each delivery came, by its id. */
  readonly deliveries = new Map<string, number>();
  readonly events = new Set<string>();
  /** How often each run was executed, by the number that it was given. */
  readonly executions = new Map<string, number>();
  readonly forged: string[] = [];
  private webhook: Webhook | null = null;

  trust(secret: string): void {
    this.webhook = new Webhook(secret);
  }

  readonly listen: RequestListener = (request, response) => {
    const ran = /^\/ran\/(\w+)$/.exec(request.url ?? '');
    if (ran) {
      count(this.executions, ran[1]!);
      response.end('ok');
      return;
    }
    void this.take(request).then((status) => response.writeHead(status).end());
  };

  /** Deliveries that came more than once. */
  get duplicates(): number {
    return [...this.deliveries.values()].reduce((sum, times) => sum + times - 1, 0);
  }

  private async take(request: IncomingMessage): Promise<number> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const headers = request.headers as Record<string, string>;
    try {
      const { id } = this.webhook!.verify(body, headers) as { id: string };
      this.events.add(id);
      count(this.deliveries, headers['webhook-id']!);
      return 204;
    } catch (error) {
      this.forged.push(String(error));
      return 400;
    }
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
