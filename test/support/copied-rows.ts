import { database } from './gatehouse.js';

/** As many published scripts as that would take minutes to make by requests. */
export async function copyScript(id: string, copies: number): Promise<void> {
  const newId = (prefix: string) => `'${prefix}_0' || substr(md5($1::text || n), 1, 25)`;
  const scripts = { id: newId('scr'), slug: `'copy-' || n`, name: `'copy-' || n` };
  await copyRows('scripts', `t.id = $1`, scripts, id, copies);
  const versions = { id: newId('ver'), script_id: newId('scr') };
  await copyRows('script_versions', `t.script_id = $1`, versions, id, copies);
}

/** As many runs that are over, older than all others of their workspace. */
export async function copyRun(id: string, copies: number): Promise<void> {
  await copyRows(
    'runs',
    't.id = $1',
    { id: `'run_00' || substr(md5($1::text), 1, 14) || lpad(n::text, 10, '0')` },
    id,
    copies,
  );
}

/** Copies a row with some columns changed; those that the database computes are left to it. */
async function copyRows(
  table: string,
  where: string,
  changed: Record<string, string>,
  id: string,
  copies: number,
): Promise<void> {
  const { rows } = await database().query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_name = $1 AND table_schema = current_schema() AND is_generated = 'NEVER'`,
    [table],
  );
  const names = rows.map(({ name }) => name);
  const values = names.map((name) => changed[name] ?? `t.${name}`);
  await database().query(
    `INSERT INTO ${table} (${names.join()}) SELECT ${values.join()}
     FROM ${table} t, generate_series(1, ${copies}) n WHERE ${where}`,
    [id],
  );
}
