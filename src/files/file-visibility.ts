import { scriptIsChosen, scriptIsVisible, type WorkspaceCaller } from '../core/access/index.js';

/**
 * By what somebody sees files: all of the workspace, one environment's, as a member or guest (of one environment or all), or
 * as an app with chosen scripts.
 */
type FileViewer = 'everything' | 'environment' | 'member' | 'guest' | 'chosen';

export function viewerOf(caller: WorkspaceCaller): FileViewer {
  if (caller.scriptChoice !== null) return 'chosen';
  if (caller.role === 'member' || caller.role === 'guest') return caller.role;
  return caller.bound ? 'environment' : 'everything';
}

/** The first parameters of a statement with `FILE_IS_VISIBLE`: the workspace, the viewer's person (or choice) and only environment. */
export function viewerParameters(caller: WorkspaceCaller): [string, string | null, string | null] {
  const viewer = viewerOf(caller);
  const byPerson = viewer === 'member' || viewer === 'guest';
  const person = byPerson ? (caller.person?.id ?? null) : null;
  return [caller.workspace.id, caller.scriptChoice ?? person, caller.bound ? caller.environment.id : null];
}

const runIs = (condition: string): string => `EXISTS (
  SELECT FROM runs vr JOIN scripts vs ON vs.id = vr.script_id WHERE vr.id = f.run_id AND ${condition})`;

const RUN_IS_VISIBLE = runIs(
  scriptIsVisible({ alias: 'vs', roleParameter: `'member'`, userParameter: '$2', choiceParameter: null }),
);

/** Of the grant that says which scripts there are for the app. */
const GRANT_PERSON = '(SELECT granted.user_id FROM agent_grants granted WHERE granted.id = $2)';
const GRANT_ROLE = `(SELECT m.role FROM agent_grants granted
  JOIN memberships m ON m.workspace_id = granted.workspace_id AND m.user_id = granted.user_id WHERE granted.id = $2)`;
const CHOSEN_RUN_IS_VISIBLE = runIs(
  scriptIsVisible({
    alias: 'vs',
    roleParameter: GRANT_ROLE,
    userParameter: GRANT_PERSON,
    choiceParameter: '$2',
  }),
);

/** For members and guests: an app that one of them has bound to an environment sees less than they do. */
const IN_ENVIRONMENT = '($3::text IS NULL OR f.environment_id = $3)';

/**
 * The condition, in SQL, under which a viewer sees the file `f`. Its person is who uploaded it, or who started the run
 * that wrote it. What has expired is there for nobody. One text for each kind of viewer, so that each has its index.
 */
const FILE_IS_VISIBLE: Record<FileViewer, string> = {
  everything: live('$2::text IS NULL AND $3::text IS NULL'),
  environment: live('$2::text IS NULL AND f.environment_id = $3'),
  member: live(
    `${IN_ENVIRONMENT} AND ((f.direction = 'in' AND f.created_by_user_id = $2) OR ${RUN_IS_VISIBLE})`,
  ),
  guest: live(`${IN_ENVIRONMENT} AND f.created_by_user_id = $2`),
  chosen: live(`${IN_ENVIRONMENT} AND CASE WHEN f.run_id IS NULL OR ${GRANT_ROLE} = 'guest'
    THEN f.created_by_user_id = ${GRANT_PERSON} AND (f.run_id IS NULL OR ${runIs(scriptIsChosen('vs', '$2'))})
    ELSE ${CHOSEN_RUN_IS_VISIBLE} END`),
};

function live(condition: string): string {
  return `f.workspace_id = $1 AND f.expires_at > now() AND ${condition}`;
}

/** A statement in its form for each viewer. Its own parameters begin with `$4`. */
export function forEachViewer(build: (visible: string) => string): Record<FileViewer, string> {
  return {
    everything: build(FILE_IS_VISIBLE.everything),
    environment: build(FILE_IS_VISIBLE.environment),
    member: build(FILE_IS_VISIBLE.member),
    guest: build(FILE_IS_VISIBLE.guest),
    chosen: build(FILE_IS_VISIBLE.chosen),
  };
}
