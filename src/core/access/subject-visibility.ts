import { Injectable } from '@nestjs/common';

import { Database } from '../database/index.js';
import type { Viewer } from './caller.js';

/** Somebody, and the thing that they would see. */
export interface SubjectViewer {
  caller: Viewer;
  /** The thing's id. */
  id: string;
}

/**
 * An extension point: says of many callers at once whether each may see one thing, by the kind of the thing. For what goes
 * on after its request was let in: responses that follow a run, streams of events about scripts.
 *
 * @example
 * onModuleInit(): void {
 *   this.visibility.register('run', RUN_IS_VISIBLE);
 * }
 */
@Injectable()
export class SubjectVisibility {
  private readonly statements = new Map<string, string>();
  private readonly byCredential = new Set<string>();

  constructor(private readonly database: Database) {}

  /**
   * To be called when the application starts, by the domain whose things they are.
   *
   * @param statement selects `visible` from `VIEWERS`, in the order of `place`: one statement for all of them
   * @param byCredential the credential decides, and not only its person and the scripts that were chosen for it
   */
  register(kind: string, statement: string, { byCredential = false } = {}): void {
    this.statements.set(kind, statement);
    if (byCredential) this.byCredential.add(kind);
  }

  isByCredential(kind: string): boolean {
    return this.byCredential.has(kind);
  }

  /** @throws Error where nobody has registered how to check that kind */
  assertKnown(kind: string): void {
    if (!this.statements.has(kind)) throw new Error(`Nobody has registered how to check a ${kind}.`);
  }

  /** For each pair whether the caller may see the thing of that id, in their order. */
  async check(kind: string, viewers: readonly SubjectViewer[]): Promise<boolean[]> {
    this.assertKnown(kind);
    if (viewers.length === 0) return [];
    const statement = this.statements.get(kind)!;
    const rows = await this.database.query<{ visible: boolean }>(statement, viewersParameters(viewers));
    return rows.map(({ visible }) => visible);
  }
}

/**
 * The relation that a check's statement selects from, in the order of `place`. `environment_id` is that of a bound API key
 * and otherwise null, as `user_id` is without a person.
 */
export const VIEWERS = `unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
  $8::text[])
  WITH ORDINALITY AS q(subject_id, workspace_id, environment_id, role, user_id, kind, credential_id, script_choice, place)`;

function viewersParameters(viewers: readonly SubjectViewer[]): unknown[] {
  const column = <T>(of: (viewer: SubjectViewer) => T): T[] => viewers.map(of);
  return [
    column(({ id }) => id),
    column(({ caller }) => caller.workspace.id),
    column(({ caller }) => (caller.bound ? caller.environment.id : null)),
    column(({ caller }) => caller.role),
    column(({ caller }) => caller.person?.id ?? null),
    column(({ caller }) => caller.kind),
    column(({ caller }) => caller.credentialId),
    column(({ caller }) => caller.scriptChoice),
  ];
}
