import { columns } from '../../core/database/index.js';
import { WorkspaceKey } from '../../core/keys/index.js';

/** What opens signing secrets, of `workspace_keys k`. */
export const KEY = columns(WorkspaceKey, 'k', 'workspaceId', 'masterKeyId', 'sealedKey');
