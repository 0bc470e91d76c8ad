import { Access, DefinesCliCommands, Extension, ID, InWorkspace, IsLine } from '@gatehouse/extension';
import { type EmbeddedPageProvider, type SettingsFormProvider, SettingsPage } from '@gatehouse/extension';
import type { CliCommandDefinition, CliCommandSource } from '@gatehouse/extension';
import type { SettingsSchema, WorkspaceCaller } from '@gatehouse/extension';
import { Body, Controller, Get, Module, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiProperty } from '@nestjs/swagger';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { IsIn, Length, Matches } from 'class-validator';
import { Column, Entity, PrimaryColumn, type QueryRunner, Repository } from 'typeorm';

const HOURS = ['office', 'always'] as const;

@Entity('on_call')
export class OnCall {
  @PrimaryColumn(ID)
  workspaceId!: string;
  @Column('text')
  person!: string;
  @Column('text')
  phone!: string;
  @Column('text')
  hours!: string;
}

export class MakeOnCall1760000000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE on_call (
        workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces ON DELETE CASCADE,
        person text NOT NULL, phone text NOT NULL, hours text NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE on_call');
  }
}

export class OnCallInput {
  @ApiProperty()
  @Length(1, 100)
  @IsLine()
  person: string;
  @ApiProperty()
  @Matches(/^\+\d{6,15}$/, { message: 'must be a number such as +4930123456' })
  phone: string;
  @ApiProperty({ enum: HOURS })
  @IsIn(HOURS)
  hours: string;
}

// #region routes
@Controller('v1/on-call')
export class OnCallController {
  constructor(@InjectRepository(OnCall) private readonly rows: Repository<OnCall>) {}

  @Get()
  @Access({ scope: 'on_call:read', role: 'member', reach: 'shared' })
  @ApiOperation({ summary: 'Say who is on call' })
  async get(@InWorkspace() { workspace }: WorkspaceCaller): Promise<Partial<OnCallInput>> {
    const { person, phone, hours } = (await this.rows.findOneBy({ workspaceId: workspace.id })) ?? {};
    return { person, phone, hours };
  }

  @Put()
  @Access({ scope: 'on_call:write', role: 'admin' })
  @ApiOperation({ summary: 'Say who is to be on call' })
  async set(@InWorkspace() { workspace }: WorkspaceCaller, @Body() input: OnCallInput): Promise<OnCallInput> {
    await this.rows.upsert({ workspaceId: workspace.id, ...input }, ['workspaceId']);
    return input;
  }

  /** Whoever asks takes over, with the number that is there. */
  @Post('take')
  @Access({ scope: 'on_call:write', role: 'member', kinds: ['session', 'personal_token', 'agent'] })
  @ApiOperation({ summary: 'Take over' })
  async take(@InWorkspace() caller: WorkspaceCaller): Promise<Partial<OnCallInput>> {
    await this.rows.update({ workspaceId: caller.workspace.id }, { person: caller.person!.name });
    return this.get(caller);
  }
}

// #region form
@SettingsPage('on_call')
export class OnCallSettings implements SettingsFormProvider {
  readonly title = 'On call';
  readonly description = 'Who is called when something breaks.';
  readonly path = '/v1/on-call';
  readonly schema: SettingsSchema = {
    type: 'object',
    properties: {
      person: { type: 'string', title: 'Person', maxLength: 100 },
      phone: { type: 'string', title: 'Phone', description: 'With + and the country code' },
      hours: { type: 'string', title: 'Hours', enum: HOURS, default: 'office' },
    },
    required: ['person', 'phone', 'hours'],
  };
}

// #region page
@SettingsPage('on_call.now')
export class OnCallNow implements EmbeddedPageProvider {
  readonly title = 'On call now';
  readonly routes = ['GET /v1/on-call', 'POST /v1/on-call/take'];
  readonly html = `
    <p id="now" role="status">…</p>
    <button id="take">Take over</button>
    <script>
      const show = ({ status, body }) => {
        now.textContent = status < 300 ? (body.person ?? 'Nobody') + ' is on call.' : body.error.message;
      };
      take.onclick = async () => show(await gatehouse.request('POST', '/v1/on-call/take'));
      gatehouse.request('GET', '/v1/on-call').then(show);
    </script>`;
}

// #region commands
const columns = ['person', 'phone', 'hours'];

@DefinesCliCommands()
export class OnCallCommands implements CliCommandSource {
  readonly cliCommands: CliCommandDefinition[] = [
    { name: 'show', summary: 'say who is on call', route: 'GET /v1/on-call', columns },
    { name: 'take', summary: 'take over', route: 'POST /v1/on-call/take', columns },
    {
      name: 'set',
      summary: 'say who is to be on call',
      route: 'PUT /v1/on-call',
      arguments: [{ name: 'person', description: 'their name' }],
      options: [
        { name: 'phone', description: 'with + and the country code', required: true },
        { name: 'hours', description: 'when they are called', choices: HOURS, required: true },
      ],
      columns,
    },
    {
      name: 'office',
      summary: 'say who is to be called in office hours',
      route: 'PUT /v1/on-call',
      arguments: [{ name: 'person', description: 'their name' }],
      options: [{ name: 'phone', description: 'with + and the country code', required: true }],
      fields: { hours: 'office' },
      columns,
    },
  ];
}

// #region module
@Extension({ name: 'on-call', scopes: ['on_call'], migrations: [MakeOnCall1760000000000] })
@Module({
  imports: [TypeOrmModule.forFeature([OnCall])],
  controllers: [OnCallController],
  providers: [OnCallSettings, OnCallNow, OnCallCommands],
})
export default class OnCallExtension {
  static readonly version = '1.0.0';
}
