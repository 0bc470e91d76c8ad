import type { WholeGroup } from './scim-groups.service.js';
import { GROUP_SCHEMA, LIST_RESPONSE, USER_SCHEMA } from './scim-schemas.js';
import { chosen, type ScimList, type ScimPage, type ScimResourceQuery } from './scim-query.js';
import type { ScimUser } from './scim-user.entity.js';

/** A person as the protocol has them. */
export function userResource(
  { userId, externalId, userName, active, profile, createdAt, updatedAt }: ScimUser,
  baseUrl: string,
): object {
  return {
    schemas: [USER_SCHEMA],
    id: userId,
    ...(externalId !== null && { externalId }),
    userName,
    ...profile,
    active,
    meta: metaOf('User', `${baseUrl}/scim/v2/Users/${userId}`, createdAt, updatedAt),
  };
}

export function groupResource(
  { id, externalId, displayName, members, createdAt, updatedAt }: WholeGroup,
  baseUrl: string,
): object {
  return {
    schemas: [GROUP_SCHEMA],
    id,
    ...(externalId !== null && { externalId }),
    displayName,
    ...(members && { members: members.map((value) => ({ value, type: 'User' })) }),
    meta: metaOf('Group', `${baseUrl}/scim/v2/Groups/${id}`, createdAt, updatedAt),
  };
}

export function listResponse<Row>(
  { rows, total }: ScimList<Row>,
  { skipped }: Pick<ScimPage, 'skipped'>,
  query: ScimResourceQuery,
  present: (row: Row) => object,
): object {
  return {
    schemas: [LIST_RESPONSE],
    totalResults: total,
    startIndex: skipped + 1,
    itemsPerPage: rows.length,
    Resources: rows.map((row) => chosen(present(row), query)),
  };
}

function metaOf(resourceType: string, location: string, created: Date, lastModified: Date): object {
  return { resourceType, created: created.toISOString(), lastModified: lastModified.toISOString(), location };
}
