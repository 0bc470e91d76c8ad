import {
  teamsAddMember,
  teamsCreate,
  teamsDelete,
  teamsGet,
  teamsList,
  teamsRemoveMember,
  teamsUpdate,
} from '../generated/sdk.gen.js';
import type { Team, TeamInput, TeamPatch, TeamsListData } from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { Pages } from '../http/pages.js';
import type { CallOptions } from '../http/settings.js';

/** Groups of members, which scripts can be kept to. */
export class Teams {
  constructor(private readonly calls: Calls) {}

  /** Newest first. */
  list(query?: TeamsListData['query'], options?: CallOptions): Pages<Team> {
    return this.calls.list(teamsList<true>, { query }, options);
  }

  create(input: TeamInput, options?: CallOptions): Promise<Team> {
    return this.calls.send(teamsCreate<true>, { body: input }, options);
  }

  get(id: string, options?: CallOptions): Promise<Team> {
    return this.calls.send(teamsGet<true>, { path: { id } }, options);
  }

  update(id: string, patch: TeamPatch, options?: CallOptions): Promise<Team> {
    return this.calls.send(teamsUpdate<true>, { path: { id }, body: patch }, options);
  }

  delete(id: string, options?: CallOptions): Promise<void> {
    return this.calls.do(teamsDelete<true>, { path: { id } }, options);
  }

  addMember(id: string, userId: string, options?: CallOptions): Promise<Team> {
    return this.calls.send(teamsAddMember<true>, { path: { id, userId } }, options);
  }

  removeMember(id: string, userId: string, options?: CallOptions): Promise<void> {
    return this.calls.do(teamsRemoveMember<true>, { path: { id, userId } }, options);
  }
}
