import type { BoxUsers } from './box-users.js';
import type { GroupTree } from './cgroups.js';
import type { KeptOptions } from './kept.js';
import type { StaticMounts } from './skeleton.js';
import type { TemplateOptions } from './templates.js';
import type { WarmthOptions } from './warm-interpreters.js';

/** What was found on the machine and asked for, when the sandbox was opened. */
export interface SandboxParts {
  directory: string;
  mounts: StaticMounts;
  launcherPath: string;
  bubblewrap: string;
  groups: GroupTree | null;
  reservedBytes: number;
  users: BoxUsers;
  maxSlots: number;
  warmth: WarmthOptions | null;
  templates: TemplateOptions | null;
  kept: KeptOptions | null;
}
