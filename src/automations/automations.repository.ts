import type { EnvironmentRule } from '../core/access/approval-policy.js';
import type { Role } from '../core/access/roles.js';
import { boundedPage } from '../core/database/bounded-page.sql.js';
import type { Columns } from '../core/database/columns.js';
import type { Database } from '../core/database/database.js';
import { scriptIsVisible } from '../core/access/script-visibility.js';

/** Who looks, as far as it decides which schedules and triggers exist for them. */
export interface AutomationViewer {
  workspaceId: string;
  role: Role;
  /** null for an API key. */
  userId: string | null;
  /** null: they see those of every environment. */
  environmentId: string | null;
}

/** The columns that are read, of the table with the alias `a`. */
export interface AutomationColumns<Listed, Details> {
  table: string;
  listed: Columns<Listed>;
  /** What else is read of a single one. */
  details: Columns<Details>;
}

export type ListedAutomation<Listed> = Listed & {
  /** The environment's name. */
  environment: string;
};

export type FoundAutomation<Listed, Details> = ListedAutomation<Listed> &
  Details & { scriptSlug: string } & EnvironmentRule;

/** How schedules and triggers are read: as far as the viewer sees their environment and their script. */
export abstract class AutomationsRepository<Listed, Details> {
  private readonly statements: Readonly<Record<keyof ReturnType<typeof statementsOf>, string>>;

  protected constructor(
    protected readonly database: Database,
    read: AutomationColumns<Listed, Details>,
  ) {
    this.statements = statementsOf(read);
  }

  list(viewer: AutomationViewer, after: string | null, count: number): Promise<ListedAutomation<Listed>[]> {
    const { list, listOfEnvironment } = this.statements;
    const statement = viewer.environmentId === null ? list : listOfEnvironment;
    return this.database.query(statement, [...parametersOf(viewer), after, count]);
  }

  listOfScript(
    viewer: AutomationViewer,
    scriptId: string,
    after: string | null,
    count: number,
  ): Promise<ListedAutomation<Listed>[]> {
    const { listOfScript } = this.statements;
    return this.database.query(listOfScript, [...parametersOf(viewer), after, count, scriptId]);
  }

  find(viewer: AutomationViewer, id: string): Promise<FoundAutomation<Listed, Details> | null> {
    return this.database.one(this.statements.find, [...parametersOf(viewer), id]);
  }

  /** As `find`, and nobody else changes or fires it until the transaction ends. */
  lock(viewer: AutomationViewer, id: string): Promise<FoundAutomation<Listed, Details> | null> {
    return this.database.one(this.statements.lock, [...parametersOf(viewer), id]);
  }
}

function parametersOf({ workspaceId, role, userId, environmentId }: AutomationViewer): unknown[] {
  return [workspaceId, role, userId, environmentId];
}

function statementsOf({ table, listed, details }: AutomationColumns<unknown, unknown>) {
  const read = `${listed}, e.name AS environment`;
  const tables = `
    FROM ${table} a JOIN environments e ON e.id = a.environment_id JOIN scripts c ON c.id = a.script_id`;
  const visible = `a.workspace_id = $1 AND ($4::text IS NULL OR a.environment_id = $4)
    AND ${scriptIsVisible({ alias: 'c', roleParameter: '$2', userParameter: '$3' })}`;
  const list = (condition: string): string =>
    boundedPage({
      candidates: `SELECT a.id, a.bytes ${tables} WHERE ${visible} AND ${condition} AND a.id < coalesce($5, '~')
        ORDER BY a.id DESC LIMIT $6`,
      columns: read,
      tables: `FROM page JOIN ${table} a ON a.id = page.id JOIN environments e ON e.id = a.environment_id`,
    });
  const find = `
    SELECT ${read}, ${details}, c.slug AS "scriptSlug", e.approval_policy AS "approvalPolicy",
      e.agents_allowed AS "agentsAllowed" ${tables}
    WHERE ${visible} AND a.id = $5`;
  return {
    list: list('true'),
    listOfEnvironment: list('a.environment_id = $4'),
    listOfScript: list('a.script_id = $7'),
    find,
    lock: `${find} FOR UPDATE OF a`,
  };
}
