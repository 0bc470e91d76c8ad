import { Controller, Get, Injectable, Module, type Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Column, Entity, type MigrationInterface, PrimaryColumn, type QueryRunner } from 'typeorm';
import { describe, expect, it } from 'vitest';

import {
  Access,
  ApprovalAction,
  DefinesAuditActions,
  DefinesCliCommands,
  DefinesEventTypes,
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
      "/v1/runs is Gatehouse's own; give the extension another name",
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
