// #region imports
import {
  Access,
  ApiPage,
  CREATED,
  Database,
  DefinesEventTypes,
  defineId,
  Events,
  Extension,
} from '@gatehouse/extension';
import { ID, InWorkspace, IsLine, keysetPage, Loop, newestFirst, PageQuery } from '@gatehouse/extension';
import type { Page, WorkspaceCaller } from '@gatehouse/extension';
import { Body, Controller, Get, Injectable, Module, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiProperty } from '@nestjs/swagger';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Length } from 'class-validator';
import { Column, Entity, PrimaryColumn, type QueryRunner, Repository } from 'typeorm';

// #region entity
const TicketId = defineId('tkt');

@Entity('tickets')
export class Ticket {
  @PrimaryColumn(ID)
  id!: string;
  @Column(ID)
  workspaceId!: string;
  @Column('text')
  title!: string;
  @Column(CREATED)
  createdAt!: Date;
  @Column('boolean', { default: false })
  overdue!: boolean;
}

export class MakeTickets1760000000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tickets (
        id text COLLATE "C" PRIMARY KEY,
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        title text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        overdue boolean NOT NULL DEFAULT false
      );
      CREATE INDEX tickets_list ON tickets (workspace_id, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tickets');
  }
}

// #region events
const ABOUT_A_TICKET = {
  environmentScoped: false,
  schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  example: { id: 'tkt_01jd8ma4wqehq8dm1jy4t7n3sv' },
};

@DefinesEventTypes()
export class TicketEventTypes {
  readonly eventTypes = [
    { ...ABOUT_A_TICKET, type: 'tickets.opened', description: 'Somebody opened a ticket.' },
    { ...ABOUT_A_TICKET, type: 'tickets.overdue', description: 'A ticket has been open for a week.' },
  ];
}

// #region routes
export class TicketInput {
  @ApiProperty()
  @Length(1, 200)
  @IsLine()
  title: string;
}

export class TicketDto {
  @ApiProperty()
  id: string;
  @ApiProperty()
  title: string;
}

@Controller('v1/tickets')
export class TicketsController {
  constructor(
    @InjectRepository(Ticket) private readonly tickets: Repository<Ticket>,
    private readonly database: Database,
    private readonly events: Events,
  ) {}

  /** Every query names the workspace: another's tickets do not exist. */
  @Get()
  @Access({ scope: 'tickets:read', role: 'member', reach: 'shared' })
  @ApiOperation({ summary: 'List the tickets, newest first' })
  @ApiPage(TicketDto)
  list(@InWorkspace() { workspace }: WorkspaceCaller, @Query() page: PageQuery): Promise<Page<TicketDto>> {
    const filters = { workspaceId: workspace.id };
    const query = this.tickets.createQueryBuilder('t').where(filters);
    const fetch = (after: string | null, count: number) => newestFirst(query, after, count).getMany();
    return keysetPage(page, { list: 'tickets', filters }, fetch, ({ id, title }) => ({ id, title }));
  }

  /** The row and its event: both of them, or neither. */
  @Post()
  @Access({ scope: 'tickets:write', role: 'member' })
  @ApiOperation({ summary: 'Open a ticket' })
  async open(
    @InWorkspace() caller: WorkspaceCaller,
    @Body() { title }: TicketInput,
  ): Promise<{ id: string }> {
    const workspaceId = caller.workspace.id;
    const id = TicketId.next();
    await this.database.transaction(async () => {
      await this.tickets.insert({ id, workspaceId, title });
      await this.events.tell({ workspaceId, environmentId: null, type: 'tickets.opened', data: { id } });
    });
    return { id };
  }
}

// #region loop
@Injectable()
export class Reminders {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
  ) {}

  /** Every process does this, so a pass takes rows that no other has. */
  @Loop({ every: 60_000 })
  remind(): Promise<void> {
    return this.database.transaction(async () => {
      for (const { workspaceId, id } of await this.database.query<Ticket>(TAKE_OVERDUE))
        await this.events.tell({ workspaceId, environmentId: null, type: 'tickets.overdue', data: { id } });
    });
  }
}

const TAKE_OVERDUE = `
  UPDATE tickets SET overdue = true WHERE id IN (
    SELECT id FROM tickets WHERE NOT overdue AND created_at < now() - interval '7 days' LIMIT 100 FOR UPDATE SKIP LOCKED)
  RETURNING id, workspace_id AS "workspaceId"`;

// #region module
@Extension({ name: 'tickets', scopes: ['tickets'], migrations: [MakeTickets1760000000000] })
@Module({
  imports: [TypeOrmModule.forFeature([Ticket])],
  controllers: [TicketsController],
  providers: [Reminders, TicketEventTypes],
})
export default class TicketsExtension {
  static readonly version = '1.0.0';
}
