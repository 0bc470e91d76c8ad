import { Body, Controller, Get, Injectable, Module, Post, Query, type Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Column, Entity, type MigrationInterface, PrimaryColumn, type QueryRunner } from 'typeorm';
import { Length } from 'class-validator';
import { describe, expect, it, vi } from 'vitest';

import {
  Access,
  ApprovalAction,
  DefinesAuditActions,
  DefinesCliCommands,
  DefinesEventTypes,
  EventHandler,
  Extension,
  SettingsPage,
} from '@gatehouse/extension';
import { startGatehouse } from '@gatehouse/testing';

/** What only shows when the application is built: each of these stops the start, with the extension's name and why. */
async function refusal(module: Type): Promise<string> {
  try {
    const gatehouse = await startGatehouse({ extensions: [module] });
    await gatehouse.stop();
  } catch (error) {
    return (error as Error).message;
  }
  return 'It started.';
}

function withProvider(provider: Type): Type {
  @Extension({ name: 'acme' })
  @Module({ providers: [provider] })
  class AcmeModule {}
  return AcmeModule;
}

function withController(controller: Type, name = 'acme'): Type {
  @Extension({ name })
  @Module({ controllers: [controller] })
  class AcmeModule {}
  return AcmeModule;
}

const SCHEMA = { type: 'object', properties: {}, additionalProperties: false };
const DESCRIBED = { description: 'It happened.', environmentScoped: false, schema: SCHEMA, example: {} };

describe('an extension is held to', () => {
  it('access rules', async () => {
    @Controller('v1/acme')
    class OpenController {
      @Get()
      list(): string[] {
        return [];
      }
    }
    expect(await refusal(withController(OpenController))).toBe(
      'The extension AcmeModule cannot be used: OpenController.list does not declare who may use it; add @Access.',
    );
  });

  it('rules that make sense', async () => {
    @Controller('v1/acme')
    class AcmeController {
      @Get()
      @Access({ scope: 'acme:read', role: 'member' })
      list(): string[] {
        return [];
      }
    }
    expect(await refusal(withController(AcmeController))).toContain(
      'AcmeController.list asks for the scope "acme:read", which there is not',
    );
  });

  it('addresses below its name', async () => {
    @Controller('v1/runs')
    class ShadowController {
      @Get('mine')
      @Access('public')
      list(): string[] {
        return [];
      }
    }
    expect(await refusal(withController(ShadowController))).toContain(
      "has the path /v1/runs/mine; an extension's routes are /v1/acme and below",
    );
    expect(await refusal(withController(ShadowController, 'runs'))).toContain(
      "/v1/runs/cancel is Gatehouse's own; give the extension another name",
    );
  });

  it('event types of its name, whose examples fit', async () => {
    @DefinesEventTypes()
    class Foreign {
      eventTypes = [{ ...DESCRIBED, type: 'run.succeeded' }];
    }
    expect(await refusal(withProvider(Foreign))).toContain(
      'the event type "run.succeeded" has to begin with "acme."',
    );
    @DefinesEventTypes()
    class Unfit {
      eventTypes = [{ ...DESCRIBED, type: 'acme.done', example: { more: 1 } }];
    }
    expect(await refusal(withProvider(Unfit))).toContain('acme.done: its example does not fit its schema');
    @DefinesEventTypes()
    class Misused {}
    expect(await refusal(withProvider(Misused))).toContain('Misused has no list `eventTypes`');
  });

  it('approval actions of its name, which are whole', async () => {
    @ApprovalAction()
    class Foreign {
      id = 'member.invite';
    }
    expect(await refusal(withProvider(Foreign))).toContain('"member.invite" has to begin with "acme."');
    @ApprovalAction()
    class Half {
      id = 'acme.deploy';
      summarise = (): string => 'Deploy.';
    }
    expect(await refusal(withProvider(Half))).toContain('"acme.deploy" has no method perform');
    @ApprovalAction()
    class Undeclared extends Half {
      perform = async (): Promise<object> => ({ result: {} });
    }
    expect(await refusal(withProvider(Undeclared))).toContain('The approval action "acme.deploy" needs');
  });

  it('handlers of events that there are, each with a name of its own', async () => {
    @EventHandler('acme')
    class Misspelt {
      handles = ['run.succeeded', 'run.fialed'];
      handle = async (): Promise<void> => undefined;
    }
    expect(await refusal(withProvider(Misspelt))).toContain(
      'the event handler "acme" handles "run.fialed", which is no type of event; the nearest is "run.failed".',
    );
    @EventHandler('acme')
    class One {
      handles = ['run.failed'];
      handle = async (): Promise<void> => undefined;
    }
    @EventHandler('acme')
    class Other extends One {}
    @Extension({ name: 'acme' })
    @Module({ providers: [One, Other] })
    class TwoModule {}
    expect(await refusal(TwoModule)).toContain('the event handler "acme" is there twice');
    @EventHandler('acme')
    class Idle {
      handle = async (): Promise<void> => undefined;
    }
    expect(await refusal(withProvider(Idle))).toContain('has no list `handles` of types of events');
    @EventHandler('acme')
    class Half {
      handles = ['run.failed'];
    }
    expect(await refusal(withProvider(Half))).toContain('the event handler "acme" has no method handle');
  });

  it('pages in the settings that have its name, and use its routes', async () => {
    @SettingsPage('other')
    class Foreign {
      title = 'Other';
    }
    expect(await refusal(withProvider(Foreign))).toContain(
      'the settings page "other" has to be called "acme"',
    );
    @SettingsPage('acme')
    class Reaching {
      title = 'Members';
      routes = ['GET /v1/workspace/members'];
      html = '<p>Members</p>';
    }
    expect(await refusal(withProvider(Reaching))).toContain(
      'the settings page "acme" names GET /v1/workspace/members, which is no route of the extension',
    );
    @SettingsPage('acme')
    class Half {
      title = 'Half';
      path = '/v1/acme/settings';
    }
    expect(await refusal(withProvider(Half))).toContain('needs a schema of an object');
  });

  it('commands that use its routes, each once', async () => {
    const command = { name: 'list', summary: 'list them', route: 'GET /v1/acme' };
    const withCommands = (cliCommands: unknown): Promise<string> => {
      @DefinesCliCommands()
      class Commands {
        cliCommands = cliCommands;
      }
      @Controller('v1/acme')
      class AcmeController {
        @Get()
        @Access({ role: 'member' })
        list(): string[] {
          return [];
        }
      }
      @Extension({ name: 'acme' })
      @Module({ controllers: [AcmeController], providers: [Commands] })
      class AcmeModule {}
      return refusal(AcmeModule);
    };
    expect(await withCommands([{ ...command, route: 'GET /v1/runs' }])).toContain(
      'the command "acme list" names GET /v1/runs, which is no route of the extension',
    );
    expect(await withCommands([command, command])).toContain('the command "acme list" is there twice');
    expect(await withCommands({})).toContain('Commands has no list `cliCommands`');
    expect(await withCommands([command])).toBe('It started.');
  });

  it('audit actions of its name', async () => {
    @DefinesAuditActions()
    class Foreign {
      auditActions = [{ action: 'member.removed', description: 'It was me' }];
    }
    expect(await refusal(withProvider(Foreign))).toContain('"member.removed" has to begin with "acme."');
  });

  it('tables of its name', async () => {
    @Entity('notes')
    class Note {
      @PrimaryColumn('text')
      id!: string;
    }
    @Extension({ name: 'acme' })
    @Module({ imports: [TypeOrmModule.forFeature([Note])] })
    class NotesModule {}
    expect(await refusal(NotesModule)).toContain('the table "notes" of Note has to be called acme_…');

    @Entity('workspaces')
    class Copy {
      @PrimaryColumn('text')
      id!: string;
      @Column('text')
      name!: string;
    }
    @Extension({ name: 'workspaces' })
    @Module({ imports: [TypeOrmModule.forFeature([Copy])] })
    class CopyModule {}
    expect(await refusal(CopyModule)).toContain('the table "workspaces" of Copy is one of Gatehouse\'s own');

    class MakeNotes1760000000000 implements MigrationInterface {
      async up(runner: QueryRunner): Promise<void> {
        await runner.query('CREATE TABLE notes (id text)');
      }
      async down(): Promise<void> {}
    }
    @Extension({ name: 'acme', migrations: [MakeNotes1760000000000] })
    @Module({ providers: [] })
    class MigrationsModule {}
    expect(await refusal(MigrationsModule)).toContain(
      'its migrations make and drop tables that are called acme_…, not "notes"',
    );
  });

  it('its own tables, which its migrations leave as they are if they are not', async () => {
    const altering = (statement: string): Promise<string> => {
      class Alter1760000000000 implements MigrationInterface {
        async up(runner: QueryRunner): Promise<void> {
          await runner.query(
            'CREATE TABLE acme_notes (id text PRIMARY KEY, workspace_id text REFERENCES workspaces)',
          );
          await runner.query(statement);
        }
        async down(): Promise<void> {}
      }
      @Extension({ name: 'acme', migrations: [Alter1760000000000] })
      @Module({ providers: [] })
      class AlteringModule {}
      return refusal(AlteringModule);
    };
    const words = 'its migrations alter tables that are called acme_…, not "workspaces"';
    expect(await altering('ALTER TABLE workspaces ADD COLUMN acme text')).toContain(words);
    expect(await altering('ALTER TABLE workspaces ALTER COLUMN name DROP NOT NULL')).toContain(words);
    expect(await altering('CREATE INDEX acme_names ON workspaces (name)')).toContain(words);
    expect(
      await altering(
        'CREATE TRIGGER acme BEFORE UPDATE ON workspaces FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
      ),
    ).toContain(words);
    expect(await altering('ALTER TABLE acme_notes ADD COLUMN text text')).toBe('It started.');
  });

  it('tables that have what its entities have', async () => {
    @Entity('acme_notes')
    class Note {
      @PrimaryColumn('text')
      id!: string;
      @Column('text')
      text!: string;
    }
    class MakeHalf1760000000000 implements MigrationInterface {
      async up(runner: QueryRunner): Promise<void> {
        await runner.query('CREATE TABLE acme_notes (id text PRIMARY KEY)');
      }
      async down(): Promise<void> {}
    }
    const withMigrations = (migrations: (new () => MigrationInterface)[]): Promise<string> => {
      @Extension({ name: 'acme', migrations })
      @Module({ imports: [TypeOrmModule.forFeature([Note])] })
      class NotesModule {}
      return refusal(NotesModule);
    };
    const cure = 'Its migrations have to make that: `npm run admin -- extensions diff acme` writes one.';
    expect(await withMigrations([])).toBe(
      `The extension NotesModule cannot be used: the database lacks acme_notes.id, acme_notes.text, which its entities have. ${cure}`,
    );
    expect(await withMigrations([MakeHalf1760000000000])).toBe(
      `The extension NotesModule cannot be used: the database lacks acme_notes.text, which its entities have. ${cure}`,
    );
  });

  it('bodies and queries that something checks', async () => {
    class Wanted {
      @Length(1, 10)
      name!: string;
    }
    interface Loose {
      name: string;
    }
    @Controller('v1/acme')
    class LooseBody {
      @Post()
      @Access({ role: 'member' })
      make(@Body() { name }: Loose): { name: string } {
        return { name };
      }
    }
    const words = 'of which nothing would be checked; give it a class whose fields';
    expect(await refusal(withController(LooseBody))).toContain(`LooseBody.make has a @Body() ${words}`);
    @Controller('v1/acme')
    class LooseField {
      @Get()
      @Access({ role: 'member' })
      list(@Query('name') name: string): { name: string } {
        return { name };
      }
    }
    expect(await refusal(withController(LooseField))).toContain(`LooseField.list has a @Query() ${words}`);
    @Controller('v1/acme')
    class Strict {
      @Post()
      @Access({ role: 'member' })
      make(@Body() { name }: Wanted): { name: string } {
        return { name };
      }
    }
    expect(await refusal(withController(Strict))).toBe('It started.');
  });

  it('scopes that there are, in the audience of its events too', async () => {
    const withAudience = (scope: string): Promise<string> => {
      @DefinesEventTypes()
      class Events {
        eventTypes = [{ ...DESCRIBED, type: 'acme.done', audience: { scope, role: 'member' as const } }];
      }
      @Extension({ name: 'acme', scopes: ['acme'] })
      @Module({ providers: [Events] })
      class AcmeModule {}
      return refusal(AcmeModule);
    };
    expect(await withAudience('acme:read')).toBe('It started.');
    expect(await withAudience('acne:read')).toContain(
      'acme.done: its audience needs the scope "acne:read", which there is not',
    );
  });

  it('decorators, which it is warned of where one seems to be forgotten', async () => {
    @Injectable()
    class ChatChannel {
      async notify(): Promise<void> {}
    }
    @Injectable()
    class Kinds {
      eventTypes = [];
    }
    @Injectable()
    class Mailer {
      async notify(): Promise<void> {}
    }
    @Injectable()
    class Deaf {
      handles = ['run.failed'];
      async handle(): Promise<void> {}
    }
    const bare = Object.assign(Object.create(null) as object, { eventTypes: [] });
    @Extension({ name: 'acme' })
    @Module({
      providers: [
        ChatChannel,
        Kinds,
        Deaf,
        Mailer,
        { provide: 'NOTHING', useFactory: () => Object.create(null) as object },
        { provide: 'BARE', useValue: bare },
        { provide: 'ODD', useValue: { constructor: undefined, notify: 1 } },
      ],
    })
    class AcmeModule {}
    const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      const env = { GATEHOUSE_LOG_FORMAT: 'text' };
      await (await startGatehouse({ extensions: [AcmeModule], env })).stop();
      const lines = printed.mock.calls.map(([text]) => String(text)).filter((text) => text.includes('acme'));
      expect(lines.map((line) => /\] (\w+ of .*?)\n?$/.exec(line.replace(/\u001b\[\d+m/g, ''))?.[1])).toEqual(
        [
          'ChatChannel of the extension acme has notify, and lacks @NotificationChannel(name): nothing uses it.',
          'Kinds of the extension acme has eventTypes, and lacks @DefinesEventTypes(): nothing uses it.',
          'Deaf of the extension acme has handles, handle, and lacks @EventHandler(name): nothing uses it.',
          'BARE of the extension acme has eventTypes, and lacks @DefinesEventTypes(): nothing uses it.',
        ],
      );
    } finally {
      printed.mockRestore();
    }
  });

  it('migrations that can be carried out', async () => {
    class Broken1760000000000 implements MigrationInterface {
      async up(runner: QueryRunner): Promise<void> {
        await runner.query('CREATE TABLE acme_notes (id nonsense)');
      }
      async down(): Promise<void> {}
    }
    @Extension({ name: 'acme', migrations: [Broken1760000000000] })
    @Module({ providers: [] })
    class MigrationsModule {}
    expect(await refusal(MigrationsModule)).toContain(
      'its migration Broken1760000000000 could not be carried out: type "nonsense" does not exist',
    );
  });

  it('nothing else', async () => {
    @Injectable()
    class Plain {}
    expect(await refusal(withProvider(Plain))).toBe('It started.');
  });
});
