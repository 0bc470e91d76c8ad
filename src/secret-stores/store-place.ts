import type { SecretPlace } from '../secrets/index.js';

/** Folders and a name: letters, digits and what stands for nothing else in addresses. A folder of dots alone is none. */
const PATH = /^(?!.*(?:^|\/)\.+(?:\/|$))[A-Za-z0-9_.+=@-]+(?:\/[A-Za-z0-9_.+=@-]+)*$/;
const FIELD = /^[\w.@+=-]{1,100}$/;
const LONGEST_PATH = 300;

/** What a reference names: `payments/stripe#key`. */
export interface StoreReference {
  path: string;
  /** null: all that is there. */
  field: string | null;
}

/** Below what a workspace's secrets are. The prefix has whole folders, so none begins with another's. */
export function folderOf(prefix: string, { workspace, environment }: SecretPlace): string {
  const names: Record<string, string> = {
    workspace: workspace.slug,
    workspace_id: workspace.id,
    environment: environment.name,
  };
  return prefix.replace(/\{(\w+)\}/g, (_, name: string) => names[name]!);
}

export function parseReference(reference: string): StoreReference {
  const at = reference.indexOf('#');
  return at < 0
    ? { path: reference, field: null }
    : { path: reference.slice(0, at), field: reference.slice(at + 1) };
}

/** Why a path may name something else than it seems to, or null. */
export function pathProblem(path: string): string | null {
  if (path.length <= LONGEST_PATH && PATH.test(path)) return null;
  return `must be a path of up to ${LONGEST_PATH} letters, digits and _ . + = @ -, with / between folders: payments/stripe`;
}

export function fieldProblem(field: string): string | null {
  return FIELD.test(field) ? null : 'must end with # and the name of a field: payments/stripe#key';
}
