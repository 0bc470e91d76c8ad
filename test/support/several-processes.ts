import type { GatehouseProcess } from '../../libs/testing/index.js';
import { startGatehouse } from './gatehouse.js';
import { Redis, redisProgram } from './redis.js';
import { WebhookBench } from './webhooks.js';

/** What this machine can keep the queue in. */
export const backends =
  redisProgram === null ? (['PostgreSQL'] as const) : (['PostgreSQL', 'Redis'] as const);

/** An API process and two workers. */
export class SeveralProcesses {
  readonly workers: GatehouseProcess[] = [];

  private constructor(
    readonly bench: WebhookBench,
    /** null: the queue is in PostgreSQL. */
    readonly redis: Redis | null,
  ) {}

  static async start(backend: (typeof backends)[number]): Promise<SeveralProcesses> {
    const redis = backend === 'Redis' ? await Redis.start() : null;
    const bench = await WebhookBench.start({ GATEHOUSE_ROLE: 'api', ...(redis && { REDIS_URL: redis.url }) });
    const processes = new SeveralProcesses(bench, redis);
    await Promise.all([processes.startWorker(), processes.startWorker()]);
    return processes;
  }

  async startWorker(): Promise<void> {
    const worker = await startGatehouse({
      dataDirectory: this.bench.gatehouse.dataDirectory,
      env: {
        GATEHOUSE_ROLE: 'worker',
        DATABASE_URL: this.bench.gatehouse.databaseUrl,
        GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1,::1',
        NODE_EXTRA_CA_CERTS: this.bench.caFile,
        ...(this.redis && { REDIS_URL: this.redis.url }),
      },
    });
    this.workers.push(worker);
  }

  async stop(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.stop()));
    await this.bench.close();
    await this.redis?.remove();
  }
}
