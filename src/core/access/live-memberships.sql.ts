/**
 * Memberships for a statement that asks who somebody is at this moment, to be joined as `memberships` would be. Whoever is
 * disabled is as if they had left: nothing that they left behind goes on in their name, and nobody waits for them.
 */
export const LIVE_MEMBERSHIPS = `(
      SELECT member.* FROM memberships member JOIN users person ON person.id = member.user_id AND person.disabled_at IS NULL)`;
