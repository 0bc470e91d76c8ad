import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';

import { ThreadsModule } from '../threads/index.js';
import { DeclarationScanner } from './declaration-scanner.js';
import { ExpirySweeper } from './expiry-sweeper.js';
import { HeldCopy } from './held-copy.js';
import { InstanceEntry } from './instance.entity.js';
import { InstanceHeartbeat } from './instance-heartbeat.js';
import { InstancesRepository } from './instances.repository.js';
import { LeaseClockPeriod } from './lease-clock.entity.js';
import { LeaseClock } from './lease-clock.js';
import { Loops } from './loops.js';
import { WakeQueues } from './wake-queues.js';
import { Waker } from './waker.js';
import { Watches } from './watch.js';
import { WorkspaceOwners } from './workspace-owners.js';

/** Work beside requests: loops, leases, wakes and watches. */
@Global()
@Module({
  imports: [
    DiscoveryModule,
    ScheduleModule.forRoot(),
    ThreadsModule,
    TypeOrmModule.forFeature([InstanceEntry, LeaseClockPeriod]),
  ],
  providers: [
    DeclarationScanner,
    ExpirySweeper,
    HeldCopy,
    InstanceHeartbeat,
    InstancesRepository,
    LeaseClock,
    Loops,
    WakeQueues,
    Waker,
    Watches,
    WorkspaceOwners,
  ],
  exports: [HeldCopy, InstanceHeartbeat, LeaseClock, Loops, Waker, Watches, WorkspaceOwners],
})
export class WorkModule {}
