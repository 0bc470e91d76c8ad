import { Global, Module } from '@nestjs/common';

import { LeaseClock } from './lease-clock.js';

/** How work that waits in the database is taken, and taken away again. */
@Global()
@Module({ providers: [LeaseClock], exports: [LeaseClock] })
export class ClaimsModule {}
