import { Column, Entity, PrimaryColumn } from 'typeorm';

import { CREATED } from './entity-columns.js';

/** A migration of an extension that was carried out. */
@Entity('extension_migrations')
export class ExtensionMigration {
  @PrimaryColumn('text')
  extension!: string;

  @PrimaryColumn('text')
  name!: string;

  @Column(CREATED)
  ranAt!: Date;
}
