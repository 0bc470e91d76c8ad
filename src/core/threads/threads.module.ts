import { Global, Module } from '@nestjs/common';

import { Threads } from './threads.js';

@Global()
@Module({
  providers: [{ provide: Threads, useFactory: () => new Threads() }],
  exports: [Threads],
})
export class ThreadsModule {}
