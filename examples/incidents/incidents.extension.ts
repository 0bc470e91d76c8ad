import {
  CREATED,
  Database,
  DefinesEventTypes,
  defineId,
  EventHandler,
  type EventHandlerProvider,
  Events,
  Extension,
  type HandledEvent,
  ID,
} from '@gatehouse/extension';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Column, Entity, PrimaryColumn, type QueryRunner, Unique } from 'typeorm';

const IncidentId = defineId('inc');

@Entity('incidents')
@Unique('incidents_once', ['eventId'])
export class Incident {
  @PrimaryColumn(ID)
  id!: string;
  @Column(ID)
  workspaceId!: string;
  /** That of which it was made: an event may come twice. */
  @Column(ID)
  eventId!: string;
  @Column('text')
  title!: string;
  @Column(CREATED)
  createdAt!: Date;
}

export class MakeIncidents1760000000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE incidents (
        id text COLLATE "C" PRIMARY KEY,
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        event_id text COLLATE "C" NOT NULL CONSTRAINT incidents_once UNIQUE,
        title text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE incidents');
  }
}

@DefinesEventTypes()
export class IncidentEventTypes {
  readonly eventTypes = [
    {
      type: 'incidents.opened',
      description: 'A run failed, and nobody has looked at it yet.',
      environmentScoped: false,
      schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      example: { id: 'inc_01jd8ma4wqehq8dm1jy4t7n3sv' },
    },
  ];
}

// #region handler
/** Opens an incident for each run that fails. */
@EventHandler('incidents')
export class FailedRuns implements EventHandlerProvider {
  readonly handles = ['run.failed'];

  constructor(
    private readonly database: Database,
    private readonly events: Events,
  ) {}

  /** The event may come again, so its id is kept: the second incident of it is none. */
  handle({ id: eventId, workspace, data }: HandledEvent): Promise<void> {
    const { name } = data['script'] as { name: string };
    const incident = [IncidentId.next(), workspace.id, eventId, `${name}: ${String(data['error'])}`];
    return this.database.transaction(async () => {
      const [opened] = await this.database.query<{ id: string }>(OPEN_ONCE, incident);
      if (!opened) return;
      const told = { workspaceId: workspace.id, environmentId: null };
      await this.events.tell({ ...told, type: 'incidents.opened', data: { id: opened.id } });
    });
  }
}

const OPEN_ONCE = `
  INSERT INTO incidents (id, workspace_id, event_id, title) VALUES ($1, $2, $3, $4)
  ON CONFLICT (event_id) DO NOTHING RETURNING id`;

// #region module
@Extension({ name: 'incidents', migrations: [MakeIncidents1760000000000] })
@Module({
  imports: [TypeOrmModule.forFeature([Incident])],
  providers: [FailedRuns, IncidentEventTypes],
})
export default class IncidentsExtension {
  static readonly version = '1.0.0';
}
