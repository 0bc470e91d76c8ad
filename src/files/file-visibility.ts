import type { WorkspaceCaller } from '../core/access/caller.js';
import { scriptIsVisible } from '../core/access/script-visibility.js';

/** By what somebody sees files: all of the workspace, one environment's, or as a member or guest. */
export type FileViewer = 'everything' | 'environment' | 'member' | 'guest';

export function viewerOf(caller: WorkspaceCaller): FileViewer {
  if (caller.bound) return 'environment';
  return caller.role === 'member' || caller.role === 'guest' ? caller.role : 'everything';
}

/** The first parameters of a statement with `FILE_IS_VISIBLE`: the workspace, and the viewer's environment or person. */
export function viewerParameters(caller: WorkspaceCaller): [string, string | null] {
  const subject: Record<FileViewer, string | null> = {
    everything: null,
    environment: caller.environment.id,
    member: caller.person?.id ?? null,
    guest: caller.person?.id ?? null,
  };
  return [caller.workspace.id, subject[viewerOf(caller)]];
}

const RUN_IS_VISIBLE = `EXISTS (
  SELECT FROM runs vr JOIN scripts vs ON vs.id = vr.script_id
  WHERE vr.id = f.run_id AND ${scriptIsVisible({ alias: 'vs', roleParameter: `'member'`, userParameter: '$2' })})`;

/**
 * The condition, in SQL, under which a viewer sees the file `f`. Its person is who uploaded it, or who started the run
 * that wrote it. What has expired is there for nobody. One text for each kind of viewer, so that each has its index.
 */
export const FILE_IS_VISIBLE: Record<FileViewer, string> = {
  everything: live('$2::text IS NULL'),
  environment: live('f.environment_id = $2'),
  member: live(`((f.direction = 'in' AND f.created_by_user_id = $2) OR ${RUN_IS_VISIBLE})`),
  guest: live('f.created_by_user_id = $2'),
};

function live(condition: string): string {
  return `f.workspace_id = $1 AND f.expires_at > now() AND ${condition}`;
}

/** A statement in its form for each viewer. Its own parameters begin with `$3`. */
export function forEachViewer(build: (visible: string) => string): Record<FileViewer, string> {
  return {
    everything: build(FILE_IS_VISIBLE.everything),
    environment: build(FILE_IS_VISIBLE.environment),
    member: build(FILE_IS_VISIBLE.member),
    guest: build(FILE_IS_VISIBLE.guest),
  };
}
