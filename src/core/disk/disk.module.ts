import { Global, Module } from '@nestjs/common';

import { DiskRoom } from './disk-room.js';

/** The room on the disks of this process. `telemetry` has it looked at and tells of it. */
@Global()
@Module({ providers: [DiskRoom], exports: [DiskRoom] })
export class DiskModule {}
