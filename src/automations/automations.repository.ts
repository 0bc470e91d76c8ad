import type { FindOptionsWhere, QueryDeepPartialEntity, Repository } from 'typeorm';

import { type ApprovalPolicy, type EnvironmentRule, scriptVisibleTo } from '../core/access/index.js';
import type { Database } from '../core/database/index.js';
import { automationLists, NEEDS_ANY } from './automations.sql.js';
import type { Automation, AutomationRelations, AutomationRow } from './automation-entity.js';
import type { LostNeeds } from './lost-needs.js';
import type { ScriptViewer } from '../scripts/index.js';

/** Who looks, as far as it decides which schedules and triggers exist for them. */
export interface AutomationViewer extends ScriptViewer {
  /** null: they see those of every environment. */
  environmentId: string | null;
}

export type ListedAutomation<Row> = Row & {
  /** The environment's name. */
  environment: string;
  scriptSlug: string;
};

export type FoundAutomation<Row> = ListedAutomation<Row> & {
  scriptPolicy: ApprovalPolicy;
} & EnvironmentRule;

interface DisabledAutomation {
  id: string;
  workspaceId: string;
  environmentId: string;
  name: string;
  reason: string;
}

type Joined<Row> = Row & AutomationRelations;

/** So many uses of a script are shown. */
const MOST_USES = 100;

/** What schedules and triggers both do with their table. They are read as far as the viewer sees their environment and script. */
export abstract class AutomationsRepository<Row extends AutomationRow> {
  private readonly lists: ReturnType<typeof automationLists>;

  protected constructor(
    protected readonly database: Database,
    private readonly rows: Repository<Joined<Row>>,
    /** What is set where one is disabled, besides the reason. */
    private readonly whenDisabled: Partial<Row>,
  ) {
    this.lists = automationLists(rows.metadata);
  }

  get table(): string {
    return this.rows.metadata.tableName;
  }

  list(viewer: AutomationViewer, after: string | null, count: number): Promise<ListedAutomation<Row>[]> {
    const list = viewer.environmentId === null ? this.lists.all : this.lists.ofEnvironment;
    return this.database.query(list, [...parametersOf(viewer), after, count]);
  }

  listOfScript(
    viewer: AutomationViewer,
    scriptId: string,
    after: string | null,
    count: number,
  ): Promise<ListedAutomation<Row>[]> {
    return this.database.query(this.lists.ofScript, [...parametersOf(viewer), after, count, scriptId]);
  }

  find(viewer: AutomationViewer, id: string): Promise<FoundAutomation<Row> | null> {
    return this.read(viewer, id, false);
  }

  /** As `find`, and nobody else changes or fires it until the transaction ends. */
  lock(viewer: AutomationViewer, id: string): Promise<FoundAutomation<Row> | null> {
    return this.read(viewer, id, true);
  }

  /** The newest that run a script, of one environment or of all. */
  usesOf<Field extends keyof Row & string>(
    scriptId: string,
    environmentId: string | null,
    ...fields: Field[]
  ): Promise<Pick<Row, Field>[]> {
    return this.rows
      .createQueryBuilder('a')
      .select(fields.map((field) => `a.${field}`))
      .where({ scriptId, ...(environmentId !== null && { environmentId }) })
      .orderBy('a.id', 'DESC')
      .limit(MOST_USES)
      .getMany();
  }

  /** How many a workspace has. By its environments, for which there is an index. */
  countIn(workspaceId: string): Promise<number> {
    return this.rows
      .createQueryBuilder('a')
      .innerJoin('a.environment', 'e')
      .where('e.workspaceId = :workspaceId', { workspaceId })
      .getCount();
  }

  async insert(row: Partial<Row>): Promise<void> {
    await this.rows.insert(row as QueryDeepPartialEntity<Joined<Row>>);
  }

  async change(id: string, change: Partial<Row>): Promise<void> {
    await this.rows.update(byId(id), change as QueryDeepPartialEntity<Joined<Row>>);
  }

  async delete(id: string): Promise<void> {
    await this.rows.delete(byId(id));
  }

  /** The enabled ones that need any of these. They are locked in the order of their ids, against deadlocks. */
  lockAffected({ scriptIds, workspaceIds, members }: LostNeeds): Promise<Automation[]> {
    return this.rows
      .createQueryBuilder('a')
      .where('a.enabled')
      .andWhere(NEEDS_ANY, {
        scriptIds,
        workspaceIds,
        of: members.map(({ workspaceId }) => workspaceId),
        users: members.map(({ userId }) => userId),
      })
      .orderBy('a.id')
      .setLock('for_no_key_update')
      .getMany();
  }

  /** Each with its reason, in one statement. Returns those that were enabled until now. */
  async disable(refused: readonly { id: string; reason: string }[]): Promise<DisabledAutomation[]> {
    const reasons = JSON.stringify(Object.fromEntries(refused.map(({ id, reason }) => [id, reason])));
    const disabledReason = (): string => 'CAST(:reasons AS jsonb) ->> id';
    const { raw } = await this.rows
      .createQueryBuilder()
      .update()
      .set({ ...this.whenDisabled, disabledReason } as QueryDeepPartialEntity<Joined<Row>>)
      .where('enabled AND id = ANY(:ids)', { ids: refused.map(({ id }) => id), reasons })
      .returning(
        'id, workspace_id AS "workspaceId", environment_id AS "environmentId", name, disabled_reason AS reason',
      )
      .execute();
    return raw as DisabledAutomation[];
  }

  private async read(
    viewer: AutomationViewer,
    id: string,
    locked: boolean,
  ): Promise<FoundAutomation<Row> | null> {
    const { workspaceId, environmentId } = viewer;
    const query = this.rows
      .createQueryBuilder('a')
      .innerJoin('a.environment', 'e')
      .addSelect(['e.id', 'e.name', 'e.approvalPolicy', 'e.agentsAllowed'])
      .innerJoin('a.script', 'c')
      .addSelect(['c.id', 'c.slug', 'c.approvalPolicy'])
      .where({ id, workspaceId, ...(environmentId !== null && { environmentId }) })
      .andWhere(...scriptVisibleTo('c', viewer));
    if (locked) query.setLock('pessimistic_write', undefined, ['a']);
    const found = await query.getOne();
    if (!found) return null;
    const { name, approvalPolicy, agentsAllowed } = found.environment!;
    const rule = { approvalPolicy, agentsAllowed };
    const { slug: scriptSlug, approvalPolicy: scriptPolicy } = found.script!;
    return { ...(found as Row), environment: name, scriptSlug, scriptPolicy, ...rule };
  }
}

function parametersOf(viewer: AutomationViewer): unknown[] {
  const { workspaceId, role, userId, environmentId, scriptChoice } = viewer;
  return [workspaceId, role, userId, environmentId, scriptChoice];
}

function byId<Row extends AutomationRow>(id: string): FindOptionsWhere<Joined<Row>> {
  return { id } as FindOptionsWhere<Joined<Row>>;
}
