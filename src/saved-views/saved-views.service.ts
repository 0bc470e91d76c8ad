import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../audit/index.js';
import { roleReaches, type WorkspaceCaller } from '../core/access/index.js';
import { newId } from '../core/crypto/index.js';
import { Database, keysetPage, type Page, type PageRequest } from '../core/database/index.js';
import { Conflict, Forbidden, NotFound } from '../core/errors/index.js';
import { changedFields } from '../core/json/index.js';
import type { SavedViewDto, SavedViewInput, SavedViewPatch } from './saved-view.dto.js';
import type { SavedView } from './saved-view.entity.js';
import { SavedViewsRepository } from './saved-views.repository.js';

const MOST_VIEWS = 50;
const FIELDS = ['name', 'search'] as const;

type ViewAction = 'view.created' | 'view.updated' | 'view.deleted';

/** What people filter lists by again and again. */
@Injectable()
export class SavedViewsService {
  constructor(
    private readonly views: SavedViewsRepository,
    private readonly database: Database,
    private readonly audit: AuditTrail,
  ) {}

  list(caller: WorkspaceCaller, request: PageRequest): Promise<Page<SavedViewDto>> {
    const { workspaceId, userId } = whose(caller);
    return keysetPage(
      request,
      { list: 'saved_views', filters: { workspaceId, userId } },
      (after, count) => this.views.list(workspaceId, userId, after, count),
      present,
    );
  }

  /** @throws Conflict where the name is taken, or there are too many */
  async create(caller: WorkspaceCaller, input: SavedViewInput): Promise<SavedViewDto> {
    const { workspaceId, userId } = whose(caller);
    const { list, name, search, shared = false } = input;
    if (shared) this.assertMayShare(caller);
    const id = newId('view');
    await this.database.transaction(async () => {
      const view = { id, workspaceId, list, name, search, userId: shared ? null : userId };
      const others = await this.othersOf(view);
      if (others.length >= MOST_VIEWS) {
        const whom = shared ? 'A workspace has' : 'You have';
        throw new Conflict(`${whom} at most ${MOST_VIEWS} views of a list. Delete one first.`);
      }
      await this.views.insert({ ...view, createdByUserId: userId });
      await this.record(caller, 'view.created', view);
    });
    return present(await this.get(caller, id));
  }

  async update(caller: WorkspaceCaller, id: string, patch: SavedViewPatch): Promise<SavedViewDto> {
    await this.database.transaction(async () => {
      const view = await this.changeable(caller, id);
      const after = { name: patch.name ?? view.name, search: patch.search ?? view.search };
      const changed = changedFields(FIELDS, view, after);
      if (changed.length === 0) return;
      await this.othersOf({ ...view, ...after });
      await this.views.update(id, after);
      await this.record(caller, 'view.updated', { ...view, ...after }, { changed });
    });
    return present(await this.get(caller, id));
  }

  delete(caller: WorkspaceCaller, id: string): Promise<void> {
    return this.database.transaction(async () => {
      const view = await this.changeable(caller, id);
      await this.views.delete(id);
      await this.record(caller, 'view.deleted', view);
    });
  }

  private async get(caller: WorkspaceCaller, id: string): Promise<SavedView> {
    const { workspaceId, userId } = whose(caller);
    const view = await this.views.find(workspaceId, userId, id);
    if (!view) throw new NotFound('saved view');
    return view;
  }

  private async changeable(caller: WorkspaceCaller, id: string): Promise<SavedView> {
    await this.views.takeTurn(caller.workspace.id);
    const view = await this.get(caller, id);
    if (view.userId === null) this.assertMayShare(caller);
    if (
      view.userId === null &&
      view.createdByUserId !== caller.person?.id &&
      !roleReaches(caller.role, 'admin')
    )
      throw new Forbidden('Somebody else made this view for everyone. Only they and admins change it.');
    return view;
  }

  private assertMayShare({ role }: WorkspaceCaller): void {
    if (!roleReaches(role, 'member'))
      throw new Forbidden('To save a view for everyone takes a member. Save it for yourself.');
  }

  /** @throws Conflict where one of them has its name */
  private async othersOf(view: Pick<SavedView, 'id' | 'workspaceId' | 'list' | 'name' | 'userId'>) {
    await this.views.takeTurn(view.workspaceId);
    const others = (await this.views.beside(view)).filter(({ id }) => id !== view.id);
    if (others.some(({ name }) => name === view.name))
      throw new Conflict(`There is a view "${view.name}" already.`, [{ path: 'name', message: 'is taken' }]);
    return others;
  }

  private record(
    caller: WorkspaceCaller,
    action: ViewAction,
    { id, name, list, userId }: Pick<SavedView, 'id' | 'name' | 'list' | 'userId'>,
    details: Record<string, unknown> = {},
  ): Promise<void> {
    const target = { type: 'view', id };
    const shown = { name, list, shared: userId === null, ...details };
    return this.audit.record(caller.workspace.id, caller, action, target, shown);
  }
}

/** The routes are for people. */
function whose({ workspace, person }: WorkspaceCaller): { workspaceId: string; userId: string } {
  if (!person) throw new Forbidden('Only people have views.');
  return { workspaceId: workspace.id, userId: person.id };
}

function present(view: SavedView): SavedViewDto {
  return {
    id: view.id,
    list: view.list,
    name: view.name,
    search: view.search,
    shared: view.userId === null,
    createdByUserId: view.createdByUserId,
    createdAt: view.createdAt.toISOString(),
    updatedAt: view.updatedAt.toISOString(),
  };
}
