import type { INestApplicationContext } from '@nestjs/common';
import { DataSource, IsNull } from 'typeorm';

import { AuditTrail } from '../audit/index.js';
import type { LogLevel, Settings } from '../core/config/index.js';
import { Database } from '../core/database/index.js';
import { EVERYTHING, type RaisedLevel, RaisedLevelsRepository } from '../core/logging/index.js';
import { Workspace } from '../workspaces/index.js';
import { type Answer, tableOf } from './answer.js';
import { withApplication } from './application.js';
import { CommandRefused, STAFF } from './command-refused.js';

interface Wanted {
  /** A slug; undefined for everything. */
  workspace?: string;
  minutes: number;
}

/**
 * Has all processes log more for a while: of one workspace, or of everything.
 *
 * @param level `usual` ends what was asked for before; undefined only tells
 */
export async function logLevel(
  settings: Settings,
  level: 'info' | 'debug' | 'usual' | undefined,
  { workspace, minutes }: Wanted,
): Promise<Answer> {
  return withApplication(settings, { alongside: true }, async (app) => {
    if (level === 'usual') await change(app, workspace, null, 0);
    else if (level !== undefined) await change(app, workspace, level, minutes);
    return present(await app.get(RaisedLevelsRepository).list());
  });
}

/** @param level null: as the settings say */
async function change(
  app: INestApplicationContext,
  workspace: string | undefined,
  level: LogLevel | null,
  minutes: number,
): Promise<void> {
  const levels = app.get(RaisedLevelsRepository);
  const workspaceId = workspace === undefined ? null : await idOf(app.get(DataSource), workspace);
  const subject = workspaceId ?? EVERYTHING;
  const target = { type: 'log', id: subject };
  await app.get(Database).transaction(async () => {
    if (level === null) await levels.delete(subject);
    else await levels.set(subject, level, minutes * 60);
    const details = { level, minutes };
    await app.get(AuditTrail).record(workspaceId, STAFF, 'log.level_changed', target, details);
  });
}

function present(value: RaisedLevel[]): Answer {
  if (value.length === 0) return { text: 'The log says as much as GATEHOUSE_LOG_LEVEL does.', value };
  const rows = value.map(({ subject, level, until }) => [subject, level, until.toISOString()]);
  return {
    text: `${tableOf(['OF', 'LEVEL', 'UNTIL'], rows)}\nEach process has it within 5 seconds.`,
    value,
  };
}

async function idOf(source: DataSource, slug: string): Promise<string> {
  const workspace = await source.manager.findOneBy(Workspace, { slug, deletedAt: IsNull() });
  if (!workspace) throw new CommandRefused(`There is no workspace "${slug}".`);
  return workspace.id;
}
