import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import {
  Access,
  type CliCommandDefinition,
  DefinesCliCommands,
  Extension,
  type Page,
  PageQuery,
} from '@gatehouse/extension';
import { type TestGatehouse, startGatehouse } from '@gatehouse/testing';
import { Controller, Delete, Get, HttpCode, Module, Param, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional } from 'class-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import OnCallExtension from '../../../examples/on-call/on-call.extension.js';
import { CommandLine } from '../../support/command-line.js';

class ThingsQuery extends PageQuery {
  @ApiProperty({ required: false })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  above?: number;

  @ApiProperty({ required: false })
  @IsOptional()
  @Type(() => Boolean)
  @IsBoolean()
  even?: boolean;
}

const seen: { deleted: string[]; limits: unknown[] } = { deleted: [], limits: [] };

/** Two on each page. */
@Controller('v1/things')
class ThingsController {
  @Get()
  @Access({ role: 'guest' })
  list(@Query() { above = 0, even = false, limit, cursor }: ThingsQuery): Page<object> {
    seen.limits.push(limit);
    const from = cursor === undefined ? above : Number(cursor);
    const items = [from + 1, from + 2].map((n) => ({ n, of: { kind: even ? 'even' : 'any' } }));
    return { items, nextCursor: from < 4 ? String(from + 2) : null };
  }

  @Delete(':name')
  @Access({ role: 'guest' })
  @HttpCode(204)
  remove(@Param('name') name: string): void {
    seen.deleted.push(name);
  }
}

@DefinesCliCommands()
class ThingsCommands {
  readonly cliCommands: CliCommandDefinition[] = [
    {
      name: 'list',
      summary: 'list things',
      route: 'GET /v1/things',
      options: [
        { name: 'above', description: 'only greater ones', type: 'integer' },
        { name: 'even', description: 'only even ones', type: 'boolean' },
      ],
      columns: ['n', 'of.kind'],
      list: true,
    },
    {
      name: 'even',
      summary: 'list even things',
      route: 'GET /v1/things',
      fields: { even: true, above: 2 },
      columns: ['n', 'of.kind'],
      list: true,
    },
    {
      name: 'delete',
      summary: 'delete one',
      route: 'DELETE /v1/things/{name}',
      arguments: [{ name: 'name', description: 'which' }],
    },
  ];
}

@Extension({ name: 'things' })
@Module({ controllers: [ThingsController], providers: [ThingsCommands] })
class ThingsModule {}

@Controller('v1/env')
class EnvController {
  @Get()
  @Access({ role: 'guest' })
  list(): object {
    return { shadowed: true };
  }
}

@DefinesCliCommands()
class EnvCommands {
  readonly cliCommands = [{ name: 'list', summary: 'shadows ours', route: 'GET /v1/env' }];
}

/** Called as a command of ours. */
@Extension({ name: 'env' })
@Module({ controllers: [EnvController], providers: [EnvCommands] })
class EnvModule {}

describe('commands of extensions', () => {
  let gatehouse: TestGatehouse;
  let installed: CommandLine;
  let owner: CommandLine;
  let isGone = false;

  const as = (token: string): CommandLine =>
    installed.with({
      GATEHOUSE_URL: gatehouse.baseUrl,
      GATEHOUSE_TOKEN: token,
      GATEHOUSE_WORKSPACE: gatehouse.workspace.slug,
    });

  beforeAll(async () => {
    [installed, gatehouse] = await Promise.all([
      CommandLine.build(),
      startGatehouse({ extensions: [OnCallExtension, ThingsModule, EnvModule] }),
    ]);
    owner = as(await gatehouse.workspace.owner.tokenWith({ scopes: ['on_call:read', 'on_call:write'] }));
  });

  afterAll(async () => {
    if (!isGone) await gatehouse?.stop();
    await installed?.remove();
  });

  it('are in the help, and completed', async () => {
    const help = await owner.run(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toMatch(/Commands of extensions:\n\s+on-call\s+commands of the extension on-call/);
    expect((await owner.run(['on-call', '--help'])).stdout).toMatch(/show \[options\]\s+say who is on call/);
    expect((await owner.run(['on-call', 'set', '--help'])).stdout).toContain('(choices: "office", "always")');
    expect((await owner.run(['complete', '--', 'on'])).stdout).toBe('on-call\n');
    expect((await owner.run(['complete', '--', 'on-call', ''])).stdout).toBe('show\ntake\nset\noffice\n');
    expect((await owner.run(['complete', '--', 'things', 'list', '--e'])).stdout).toBe('--even\n--env\n');
  });

  it('send what is typed, and print as the others do', async () => {
    const set = await owner.run(['on-call', 'set', 'Ada', '--phone', '+4930123456', '--hours', 'always']);
    expect(set).toMatchObject({ code: 0, stderr: '' });
    const shown = await owner.run(['on-call', 'show']);
    expect(shown.stdout).toMatch(/person\s+Ada\nphone\s+\+4930123456\nhours\s+always\n/);
    const json = await owner.run(['on-call', 'show', '--json', 'person']);
    expect(JSON.parse(json.stdout)).toEqual({ person: 'Ada' });
    expect((await owner.run(['on-call', 'show', '--jq', '.hours'])).stdout).toBe('always\n');
  });

  it('send the fields that are fixed, in the query or in the body', async () => {
    const set = await owner.run(['on-call', 'office', 'Grace', '--phone', '+4930123457']);
    expect(set).toMatchObject({ code: 0, stderr: '' });
    expect(set.stdout).toMatch(/person\s+Grace\nphone\s+\+4930123457\nhours\s+office\n/);
    const even = await owner.run(['things', 'even', '--limit', '1']);
    expect(even.stdout).toBe('3\teven\n');
  });

  it('read as many pages as are asked for', async () => {
    const { stdout } = await owner.run(['things', 'list', '--above', '2', '--even', '--limit', '3']);
    expect(stdout).toBe('3\teven\n4\teven\n5\teven\n');
    expect(seen.limits.at(-1)).toBe(3);
    const all = await owner.run(['things', 'list', '--json', 'n']);
    expect(JSON.parse(all.stdout)).toHaveLength(6);
    expect(await owner.run(['things', 'delete', 'a/b'])).toMatchObject({ code: 0, stderr: 'Done.\n' });
    expect(seen.deleted).toEqual(['a/b']);
  });

  it.each([
    [['on-call', 'set', 'Ada'], 2, '--phone'],
    [['on-call', 'set', '--phone', '1', '--hours', 'office'], 2, 'person'],
    [['on-call', 'set', 'Ada', '--phone', '+49301234', '--hours', 'never'], 2, 'Allowed choices'],
    [['on-call', 'set', 'Ada', '--phone', '110', '--hours', 'office'], 2, 'must be a number such as'],
    [['on-call', 'sell'], 2, 'unknown command'],
    [['things', 'list', '--above', 'x'], 2, '--above has to be a whole number'],
    [['things', 'delete', '..'], 2, 'name has to be named'],
    [['thingz'], 2, 'Did you mean things?'],
  ])('exit as the others do: %j', async (args, code, words) => {
    expect(await owner.run(args)).toMatchObject({ code, stderr: expect.stringContaining(words) });
    expect(seen.deleted).not.toContain('..');
  });

  it('are those of the role; a scope that is missing is named', async () => {
    const { workspace } = gatehouse;
    const member = await workspace.person('member');
    const reader = as(await member.tokenWith({ scopes: ['on_call:read'] }));
    expect(await reader.run(['on-call', 'set', 'Ada'])).toMatchObject({ code: 2 });
    expect(await reader.run(['on-call', 'show'])).toMatchObject({ code: 0 });
    const taken = await reader.run(['on-call', 'take']);
    expect(taken).toMatchObject({ code: 4, stderr: expect.stringContaining('on_call:write') });
  });

  it('take the place of none that is there', async () => {
    const { stdout } = await owner.run(['--help']);
    expect(stdout).not.toContain('commands of the extension env');
    expect(
      (await owner.run(['env', 'list'])).stdout + (await owner.run(['env', '--help'])).stdout,
    ).not.toContain('shadow');
  });

  it('are kept for a profile, and quietly missing elsewhere, where the service is gone', async () => {
    const { baseUrl, workspace } = gatehouse;
    const token = await workspace.owner.tokenWith({ scopes: ['on_call:read'] });
    const login = ['login', '--url', baseUrl, '--workspace', workspace.slug, '--token'];
    expect(await installed.run(login, token)).toMatchObject({ code: 0 });
    expect(await installed.run(['on-call', 'show'])).toMatchObject({ code: 0 });
    const folder = join(installed.directory, 'config', 'gatehouse', 'commands');
    const [file] = await readdir(folder);
    expect((await stat(join(folder, file!))).mode & 0o777).toBe(0o600);

    await gatehouse.stop();
    isGone = true;
    expect((await installed.run(['--help'])).stdout).toContain('commands of the extension on-call');
    expect(await installed.run(['on-call', 'show'])).toMatchObject({ code: 1 });
    const elsewhere = await owner.run(['--help']);
    expect(elsewhere).toMatchObject({ code: 0, stderr: '' });
    expect(elsewhere.stdout).not.toContain('on-call');
  });
});
