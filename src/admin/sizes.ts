import type { Settings } from '../core/config/index.js';
import { instantOf } from '../core/crypto/index.js';
import { Database } from '../core/database/index.js';
import { type Answer, tableOf } from './answer.js';
import { withApplication } from './application.js';
import { AGE_SAMPLES, TABLE_SIZES, WORKSPACE_SIZES } from './sizes.sql.js';

const DAY_MS = 86_400_000;
const MOST_WORKSPACES = 50;
/** Days; what is older is a group of its own. */
const AGES = [1, 7, 30, 90, 365];

interface TableSize {
  table: string;
  bytes: number;
  indexBytes: number;
  /** Estimated; null: not known yet. */
  rows: number | null;
}

interface WorkspaceSize {
  id: string;
  slug: string;
  /** Estimated: of the tables that name the workspace. */
  tableBytes: number;
  fileBytes: number;
  /** The table that has most of it. */
  largest: string | null;
}

interface AgeSample {
  table: string;
  ids: string[];
  bytes: number;
}

/** What the database and the files have grown to: by table, workspace and age, and for each thousand runs. */
export function sizes(settings: Settings): Promise<Answer> {
  return withApplication(settings, { alongside: true }, async (app) => {
    const database = app.get(Database);
    const measured = await database.query<TableSize>(TABLE_SIZES);
    const runs = measured.find(({ table }) => table === 'runs')?.rows ?? null;
    const tables = measured.map((table) => ({ ...table, bytesPerThousandRuns: perThousand(table, runs) }));
    const workspaces = await database.query<WorkspaceSize>(WORKSPACE_SIZES, [MOST_WORKSPACES]);
    const ages = (await database.query<AgeSample>(AGE_SAMPLES)).map((sample) => byAge(sample, Date.now()));
    const value = { tables, workspaces, ages: { upToDays: AGES, tables: ages } };
    return { text: textOf(value), value };
  });
}

function perThousand({ bytes }: TableSize, runs: number | null): number | null {
  return runs === null || runs === 0 ? null : Math.round((bytes / runs) * 1000);
}

/** The bytes of each age, as many of all as the sample has ids of that age. */
export function byAge({ table, ids, bytes }: AgeSample, now: number): { table: string; bytes: number[] } {
  const counts = new Array<number>(AGES.length + 1).fill(0);
  for (const id of ids) {
    const days = (now - instantOf(id).getTime()) / DAY_MS;
    const group = AGES.findIndex((most) => days <= most);
    counts[group === -1 ? AGES.length : group]! += 1;
  }
  return { table, bytes: counts.map((count) => Math.round((bytes * count) / ids.length)) };
}

interface Sizes {
  tables: (TableSize & { bytesPerThousandRuns: number | null })[];
  workspaces: WorkspaceSize[];
  ages: { tables: { table: string; bytes: number[] }[] };
}

function textOf({ tables, workspaces, ages }: Sizes): string {
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  const byTable = tables.map(({ table, rows, bytes, indexBytes, bytesPerThousandRuns }) => [
    ...[table, rows ?? '?', inWords(bytes), inWords(indexBytes)],
    bytesPerThousandRuns === null ? '?' : inWords(bytesPerThousandRuns),
  ]);
  const byWorkspace = workspaces.map(({ slug, tableBytes, fileBytes, largest }) => [
    ...[slug, inWords(tableBytes), inWords(fileBytes), largest ?? ''],
  ]);
  const groups = [...AGES.map((days) => `UP TO ${days} D`), 'OLDER'];
  return [
    `The tables have ${inWords(total)}. Rows, workspaces and ages are estimates of PostgreSQL, as of its last ANALYZE.`,
    tableOf(['TABLE', 'ROWS', 'ALL', 'INDEXES', 'PER 1000 RUNS'], byTable),
    tableOf(['WORKSPACE', 'TABLES', 'FILES', 'MOST OF IT'], byWorkspace),
    tableOf(
      ['TABLE', ...groups],
      ages.tables.map(({ table, bytes }) => [table, ...bytes.map(inWords)]),
    ),
  ].join('\n\n');
}

function inWords(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  const amount = bytes / 1024 ** power;
  return `${power === 0 ? Math.round(amount) : amount.toFixed(1)} ${units[power]}`;
}
