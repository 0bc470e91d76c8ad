import { columns } from '../../core/database/columns.js';
import { WorkspaceKey } from '../../core/keys/workspace-key.entity.js';

/** What opens signing secrets, of `workspace_keys k`. */
export const KEY = columns(WorkspaceKey, 'k', 'workspaceId', 'masterKeyId', 'sealedKey');
