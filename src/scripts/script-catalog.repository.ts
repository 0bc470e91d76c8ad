import { Injectable } from '@nestjs/common';

import { Database } from '../core/database/database.js';
import { scriptIsVisible } from '../core/access/script-visibility.js';
import type { RunnableQuery, RunnableScript, VersionFacts } from './runnable-script.js';

type ScriptPart = Pick<
  RunnableScript,
  'scriptId' | 'slug' | 'name' | 'status' | 'approvalPolicy' | 'ownerUserId' | 'publishNeedsSecondPerson'
>;
/** Without a version all of its columns are null, which `versionId` tells. */
export type FoundRunnable = ScriptPart & (VersionFacts | { versionId: null });

@Injectable()
export class ScriptCatalogRepository {
  constructor(private readonly database: Database) {}

  findRunnable({ workspaceId, slug, version, role, userId }: RunnableQuery): Promise<FoundRunnable | null> {
    return this.database.one<FoundRunnable>(FIND_RUNNABLE, [workspaceId, slug, version, role, userId]);
  }
}

const FIND_RUNNABLE = `
  SELECT s.id AS "scriptId", s.slug, s.name, s.status, s.approval_policy AS "approvalPolicy",
    s.owner_user_id AS "ownerUserId", w.publish_needs_second_person AS "publishNeedsSecondPerson",
    v.id AS "versionId", v.number AS "versionNumber", v.input_schema AS "inputSchema",
    v.output_schema AS "outputSchema", v.command, v.timeout_seconds AS "timeoutSeconds",
    v.archive_key AS "archiveKey", v.archive_sha256 AS "archiveSha256", v.hosts, v.secrets, v.env,
    v.published_at AS "publishedAt"
  FROM scripts s
    JOIN workspaces w ON w.id = s.workspace_id
    LEFT JOIN script_versions v ON v.script_id = s.id AND v.number = COALESCE($3::integer, s.published_version)
  WHERE s.workspace_id = $1 AND s.slug = $2
    AND ${scriptIsVisible({ alias: 's', roleParameter: '$4', userParameter: '$5' })}`;
