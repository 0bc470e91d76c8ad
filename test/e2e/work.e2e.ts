import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import { BullModule, Processor, WorkerHost } from '@nestjs/bullmq';
import { type INestApplicationContext, Injectable, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterEach, describe, expect, inject, it } from 'vitest';

import { ConfigModule } from '../../src/core/config/config.module.js';
import { Settings } from '../../src/core/config/settings.js';
import { ConnectionOptions } from '../../src/core/database/connection-options.js';
import { DatabaseModule } from '../../src/core/database/database.module.js';
import { Database } from '../../src/core/database/database.js';
import { DiskModule } from '../../src/core/disk/disk.module.js';
import { Lifecycle } from '../../src/core/lifecycle/lifecycle.js';
import { LifecycleModule } from '../../src/core/lifecycle/lifecycle.module.js';
import { QueueModule } from '../../src/core/queue/queue.module.js';
import { Drain } from '../../src/core/work/drain.decorator.js';
import { Loop, type Pass } from '../../src/core/work/loop.decorator.js';
import { Loops } from '../../src/core/work/loops.js';
import { Waker } from '../../src/core/work/waker.js';
import { WorkModule } from '../../src/core/work/work.module.js';

const HOUR_MS = 3_600_000;
const TOPIC = 'letters';

const open: INestApplicationContext[] = [];

afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});

/** An application of the technical rooms that loops need, and what a test declares. */
async function start(module: Type): Promise<INestApplicationContext> {
  const databaseUrl = inject('databaseUrl');
  @Module({
    imports: [
      ConfigModule.of(new Settings({ DATABASE_URL: databaseUrl })),
      DatabaseModule.connectedTo(new ConnectionOptions(databaseUrl, 4)),
      DiskModule,
      LifecycleModule,
      QueueModule,
      WorkModule,
      module,
    ],
  })
  class Application {}
  const app = await NestFactory.createApplicationContext(Application, { logger: false, abortOnError: false });
  open.push(app);
  return app;
}

const log: string[] = [];
/** As a request's trace is kept. */
const request = new AsyncLocalStorage<string>();

@Injectable()
class Letters {
  readonly passes: boolean[] = [];
  readonly requests: unknown[] = [];

  @Loop({ every: HOUR_MS, wake: TOPIC, atStart: false })
  async send({ woken }: Pass): Promise<void> {
    this.requests.push(request.getStore());
    this.passes.push(woken);
  }
}

@Module({ providers: [Letters] })
class LettersModule {}

describe('a wake', () => {
  it('follows the commit of the transaction that it was asked for in, and only that', async () => {
    const app = await start(LettersModule);
    const [database, waker, { passes }] = [
      app.get(Database),
      app.get(Waker),
      app.get(Letters, { strict: false }),
    ];
    await expect(
      database.transaction(async () => {
        waker.wake(TOPIC);
        await database.query('SELECT 1 / 0');
      }),
    ).rejects.toThrow('division by zero');
    await database.transaction(async () => {
      waker.wake(TOPIC);
      await sleep(50);
      expect(passes).toEqual([]);
    });
    await expect.poll(() => passes).toEqual([true]);
  });

  it('has a pass made that is no part of the request that asked for it', async () => {
    const app = await start(LettersModule);
    const letters = app.get(Letters, { strict: false });
    await request.run('one', async () => app.get(Waker).wake(TOPIC));
    await request.run('another', async () => app.get(Waker).look(TOPIC));
    await expect.poll(() => letters.requests).toEqual([undefined, undefined]);
  });

  it('reaches another process by the queue of that name', async () => {
    @Processor(TOPIC)
    class LettersProcessor extends WorkerHost {
      constructor(private readonly loops: Loops) {
        super();
      }

      async process(): Promise<void> {
        await this.loops.passAndWaitForRoom(TOPIC, { woken: true });
      }
    }
    Reflect.defineMetadata('design:paramtypes', [Loops], LettersProcessor);
    const queue = BullModule.registerQueue({ name: TOPIC });
    @Module({ imports: [queue] })
    class SenderModule {}
    @Module({ imports: [queue], providers: [Letters, LettersProcessor] })
    class ReceiverModule {}
    const sender = await start(SenderModule);
    const receiver = await start(ReceiverModule);
    sender.get(Waker).wake(TOPIC);
    await expect.poll(() => receiver.get(Letters, { strict: false }).passes).toEqual([true]);
  });
});

describe('when the process stops', () => {
  /** Each stage has a pass in progress, and something to finish after it. */
  @Injectable()
  class Stages {
    constructor(private readonly lifecycle: Lifecycle) {}

    @Loop({ every: HOUR_MS, stage: 'taking' })
    take({ stopping }: Pass): Promise<void> {
      return this.last('take', stopping);
    }

    @Drain('taking')
    async finishTaking(): Promise<void> {
      await sleep(100);
      log.push(`taken, streams ${this.lifecycle.stopping.aborted ? 'ended' : 'open'}`);
    }

    @Loop({ every: HOUR_MS })
    send({ stopping }: Pass): Promise<void> {
      return this.last('send', stopping);
    }

    @Drain()
    async finishSending(): Promise<void> {
      log.push('sent');
      throw new Error('keeps nobody from ending');
    }

    @Loop({ every: 10, stage: 'holding' })
    async renew(): Promise<void> {
      if (log.at(-1) !== 'renewed') log.push('renewed');
    }

    @Drain('holding')
    async leave(): Promise<void> {
      log.push('left');
    }

    private async last(name: string, stopping: AbortSignal): Promise<void> {
      await new Promise((done) => stopping.addEventListener('abort', done));
      await sleep(50);
      log.push(name);
    }
  }
  Reflect.defineMetadata('design:paramtypes', [Lifecycle], Stages);

  @Module({ providers: [Stages] })
  class StagesModule {}

  it('ends in order: what is taken, what is sent, and leases last', async () => {
    const app = await start(StagesModule);
    log.length = 0;
    await app.close();
    const order = log.filter((entry) => entry !== 'renewed');
    expect(order).toEqual(['take', 'taken, streams open', 'send', 'sent', 'left']);
    // Leases are renewed until everything that needs them is over.
    expect(log.slice(log.indexOf('taken, streams open'), log.indexOf('send'))).toContain('renewed');
    expect(log.at(-1)).toBe('left');
  });
});

describe('at the start', () => {
  it('refuses a class that two modules provide, whose work would be done twice', async () => {
    @Module({ providers: [Letters] })
    class Again {}
    @Module({ imports: [Again], providers: [Letters] })
    class Twice {}
    await expect(start(Twice)).rejects.toThrow('Letters.send: its class is provided by two modules');
  });
});
