import { Entity, Index } from 'typeorm';

import { WaitingEntity } from '../../automations/index.js';

/** A schedule that is due, until its run is started. */
@Entity('waiting_schedules')
@Index('waiting_schedules_queue', ['workspaceId', 'id'], { where: 'worker_id IS NULL' })
@Index('waiting_schedules_taken', ['workspaceId', 'workerId'], { where: 'worker_id IS NOT NULL' })
export class WaitingSchedule extends WaitingEntity {}
