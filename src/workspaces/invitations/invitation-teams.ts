import { type ErrorDetail, InvalidRequest } from '../../core/errors/index.js';

/**
 * The teams to join besides the default one, each once. The default team is implied, so naming it adds nothing; guests
 * can never be in it.
 *
 * @param ids as they were sent
 * @param found those of them that are teams of the workspace
 * @throws InvalidRequest naming each place that is wrong
 */
export function joinedTeams(
  ids: readonly string[],
  found: readonly { id: string; isDefault: boolean }[],
  isGuest: boolean,
): string[] {
  const byId = new Map(found.map((team) => [team.id, team]));
  const details = ids.flatMap((id, index): ErrorDetail[] => {
    const path = `teamIds.${index}`;
    const team = byId.get(id);
    if (!team) return [{ path, message: 'is not the id of a team of this workspace' }];
    return team.isDefault && isGuest ? [{ path, message: 'is the default team, which has no guests' }] : [];
  });
  if (details.length > 0) {
    throw InvalidRequest.listing(details);
  }
  return [...new Set(ids)].filter((id) => !byId.get(id)!.isDefault);
}
