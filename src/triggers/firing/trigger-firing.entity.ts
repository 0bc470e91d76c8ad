import { Entity, PrimaryColumn } from 'typeorm';

import { ID } from '../../core/database/index.js';

/** A trigger that fired for an event, so that it does so once. */
@Entity('trigger_firings')
export class TriggerFiring {
  @PrimaryColumn(ID)
  eventId!: string;

  @PrimaryColumn(ID)
  triggerId!: string;
}
