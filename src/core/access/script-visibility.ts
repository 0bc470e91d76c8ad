interface VisibilityTerms {
  /** The name of `scripts` in the statement, be it SQL or a query builder's. */
  alias: string;
  /** The statement's parameter that holds the viewer's role, such as `$2` or a query builder's `:role`. */
  roleParameter: string;
  /** The parameter that holds the viewer's user id, or null for an API key. */
  userParameter: string;
}

/**
 * The condition, in SQL, under which somebody may know that a script exists. Every statement that leads to a script,
 * its runs or its files has it. Owners and admins see all. Members see what is open to the workspace or shared with one
 * of their teams; guests only the latter. The teams are looked up once per statement.
 */
export function scriptIsVisible({ alias, roleParameter, userParameter }: VisibilityTerms): string {
  return `(${roleParameter}::text IN ('owner', 'admin')
    OR (${alias}.access = 'workspace' AND ${roleParameter}::text = 'member')
    OR (${alias}.access = 'teams' AND ${alias}.team_ids && ARRAY(
      SELECT tm.team_id FROM team_members tm WHERE tm.user_id = ${userParameter}::text)))`;
}

/** The same for a query builder, which `andWhere` takes with its parameters. */
export function scriptVisibleTo(
  alias: string,
  { role, userId }: { role: string; userId: string | null },
): [condition: string, parameters: object] {
  const terms = { alias, roleParameter: ':role', userParameter: ':userId' };
  return [scriptIsVisible(terms), { role, userId }];
}
