import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { CREATED, ID } from '../../core/database/index.js';
import type { AlertEventType } from '../alert.conditions.js';

/** An event that a rule has still to be held against. Deleted when it was. */
@Entity('alert_sightings')
export class AlertSighting {
  @ForeignKey('AlertRule', { onDelete: 'CASCADE' })
  @PrimaryColumn(ID)
  ruleId!: string;

  @PrimaryColumn(ID)
  eventId!: string;

  @Column('text')
  type!: AlertEventType;

  @Column('jsonb')
  data!: SightedData;

  /** When it happened. */
  @Column(CREATED)
  at!: Date;
}

/** What of an event's data a rule looks at. */
export interface SightedData {
  runId: string | null;
  script: { id: string; slug: string; name: string } | null;
  environmentId: string | null;
  durationMs: number | null;
  /** The words of the run, why something was refused, the title of an error, or the tags that no worker carries. */
  error: string | null;
  /** What else is named: an endpoint, a hook. */
  name: string | null;
  scheduleId: string | null;
  /** How many times were missed. */
  count: number | null;
}
