interface VisibilityTerms {
  /** The name of `scripts` in the statement, be it SQL or a query builder's. */
  alias: string;
  /** The statement's parameter that holds the viewer's role, such as `$2` or a query builder's `:role`. */
  roleParameter: string;
  /** The parameter that holds the viewer's user id, or null for an API key. */
  userParameter: string;
  /** The parameter that holds the caller's `scriptChoice`; null where no credential looks, but whoever made something. */
  choiceParameter: string | null;
}

/** Who looks at scripts, as far as it decides which exist for them. */
export interface VisibilityViewer {
  role: string;
  /** null for an API key. */
  userId: string | null;
  /** The caller's. */
  scriptChoice: string | null;
}

/**
 * The condition, in SQL, under which somebody may know that a script exists. Every statement that leads to a script,
 * its runs or its files has it. Owners and admins see all. Members see what is open to the workspace or shared with one
 * of their teams; guests only the latter. The teams are looked up once per statement. An app to which its person gave
 * chosen scripts sees these of them.
 */
export function scriptIsVisible(terms: VisibilityTerms): string {
  const { alias, roleParameter, userParameter, choiceParameter } = terms;
  const forPerson = `(${roleParameter}::text IN ('owner', 'admin')
    OR (${alias}.access = 'workspace' AND ${roleParameter}::text = 'member')
    OR (${alias}.access = 'teams' AND ${alias}.team_ids && ARRAY(
      SELECT tm.team_id FROM team_members tm WHERE tm.user_id = ${userParameter}::text)))`;
  return choiceParameter === null
    ? forPerson
    : `(${forPerson} AND ${scriptIsChosen(alias, choiceParameter)})`;
}

/** That an app may know of the script, as far as its person has chosen. */
export function scriptIsChosen(alias: string, choiceParameter: string): string {
  return `(${choiceParameter}::text IS NULL OR EXISTS (
    SELECT FROM agent_grants chosen WHERE chosen.id = ${choiceParameter}::text
      AND (${alias}.id = ANY(chosen.script_ids) OR ${alias}.tags && chosen.script_tags)))`;
}

/** The same for a query builder, which `andWhere` takes with its parameters. */
export function scriptVisibleTo(
  alias: string,
  { role, userId, scriptChoice }: VisibilityViewer,
): [condition: string, parameters: object] {
  const terms = {
    alias,
    roleParameter: ':role',
    userParameter: ':userId',
    choiceParameter: ':scriptChoice',
  };
  return [scriptIsVisible(terms), { role, userId, scriptChoice }];
}
