import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Declarations } from './declarations.js';
import { Expiries } from './expiries.js';
import { InstanceEntry } from './instance.entity.js';
import { Instance } from './instance.js';
import { InstancesRepository } from './instances.repository.js';
import { LeaseClockPeriod } from './lease-clock.entity.js';
import { LeaseClock } from './lease-clock.js';
import { Loops } from './loops.js';
import { WakeQueues } from './wake-queues.js';
import { Waker } from './waker.js';
import { Watches } from './watch.js';

/** Work beside requests: loops, leases, wakes and watches. */
@Global()
@Module({
  imports: [
    DiscoveryModule,
    ScheduleModule.forRoot(),
    TypeOrmModule.forFeature([InstanceEntry, LeaseClockPeriod]),
  ],
  providers: [
    Declarations,
    Expiries,
    Instance,
    InstancesRepository,
    LeaseClock,
    Loops,
    WakeQueues,
    Waker,
    Watches,
  ],
  exports: [Instance, LeaseClock, Loops, Waker, Watches],
})
export class WorkModule {}
