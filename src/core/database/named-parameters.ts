/** A statement and its values, as the methods of `Database` take them. */
export type BoundStatement = [sql: string, parameters: unknown[]];

/** What is no placeholder although it has a colon: texts in quotes, comments and casts. Or a placeholder. */
const TOKENS = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|::|(?<position>\$\d+)|:(?<name>[a-z]\w*)/gi;

/**
 * A statement whose parameters have names instead of positions. The text is read once and always gives the same statement,
 * which PostgreSQL prepares as it does one that is written with `$1`. A name may be used several times.
 *
 * @example
 * const RENAME = named<{ id: string; name: string }>('UPDATE teams SET name = :name WHERE id = :id');
 * await database.execute(...RENAME({ id, name }));
 *
 * @throws Error for a text that has positions as well; the statement throws for a name that it gets no value for
 */
export function named<Parameters extends object>(sql: string): (parameters: Parameters) => BoundStatement {
  const names: string[] = [];
  const text = sql.replace(TOKENS, (token: string, ...rest: unknown[]) => {
    const { position, name } = rest.at(-1) as { position?: string; name?: string };
    if (position !== undefined) throw new Error(`${position} stands beside named parameters.`);
    if (name === undefined) return token;
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return (parameters) => [text, names.map((name) => valueOf(parameters, name))];
}

function valueOf(parameters: object, name: string): unknown {
  const value = (parameters as Record<string, unknown>)[name];
  if (value === undefined) throw new Error(`The statement's parameter :${name} has no value.`);
  return value;
}
