import type { Role } from './roles.js';

/** How somebody arrived. `agent` is an app that a person connected through OAuth. */
export type CallerKind = 'session' | 'personal_token' | 'api_key' | 'agent';

/** Where a person acts themselves, in the app or by a personal token, rather than an API key or an agent. */
export const IN_PERSON: readonly CallerKind[] = ['session', 'personal_token'];

/** Somebody with an account. */
export interface Person {
  id: string;
  name: string;
  email: string;
}

/** Which runs wait for an approval: none, those that an agent starts, or all. */
export type ApprovalPolicy = 'none' | 'agents' | 'always';

/** The environment that a request acts in: the one that it names, or the credential is bound to, or the default. */
export interface ActingEnvironment {
  id: string;
  name: string;
  approvalPolicy: ApprovalPolicy;
  /** Whether agents may run or schedule scripts in it. */
  agentsAllowed: boolean;
  isDefault: boolean;
}

/** Who sends a request, by a credential that was checked. */
export interface Caller {
  kind: CallerKind;
  /** The id of the session, token, key or grant: rate limits and idempotency keys belong to it. */
  credentialId: string;
  /** The token's, key's or app's name; null in the app. */
  credentialName: string | null;
  /** null for an API key, which acts without a person. */
  person: Person | null;
  /** null where everything is granted: sessions, and API keys that were not narrowed. */
  scopes: ReadonlySet<string> | null;
  /** The id of the grant that says which scripts there are for this credential; null: all that its person may see. */
  scriptChoice: string | null;
  /** Where the request came from; absent where the caller sends none, as when an approved action is performed. */
  address?: string;
  /** False: a session whose person gave their password more than an hour ago. */
  confirmed: boolean;
}

/** A caller on a workspace route, admitted to the workspace and acting in one environment. */
export interface WorkspaceCaller extends Caller {
  workspace: { id: string; slug: string; name: string };
  /** An API key acts as an admin. */
  role: Role;
  environment: ActingEnvironment;
  /** Within how many minutes the person should have made sure that it is them, and has not; null: it is as it should be. */
  stepUpMinutes: number | null;
  /** The credential, an API key or an app's grant, is bound to its environment and sees no other. */
  bound: boolean;
  /** Set in a conversation with an agent, whose id is the `credentialId` then. */
  agent?: AskedAgent;
  /** Set at `/mcp`: a model acts, with whatever credential. */
  overMcp?: true;
  /** The run of this workspace whose script sent the request. Only what went through the gate says so. */
  run?: { id: string };
}

/** Who looks, as far as it decides what they may see: a caller, or the author of what goes on without a request. */
export type Viewer = Pick<Caller, 'kind' | 'credentialId' | 'scopes' | 'scriptChoice'> &
  Pick<WorkspaceCaller, 'role' | 'bound'> & {
    person: Pick<Person, 'id'> | null;
    workspace: { id: string };
    environment: { id: string; name: string };
  };

interface AskedAgent {
  /** Each run that it starts waits for a person. */
  asksAlways: boolean;
  /** The grant of the app that asks it; null where a person, a token or a key does. */
  askedBy: string | null;
  /** null: whoever asks keeps it. */
  conversationId: string | null;
}

type ActingCaller = Pick<Caller, 'kind'> & Pick<WorkspaceCaller, 'overMcp'>;

export function isInPerson({ kind, overMcp }: ActingCaller): boolean {
  return IN_PERSON.includes(kind) && overMcp !== true;
}

/** Whether the policies for agents hold: an app, an agent of the workspace, or a model with a person's token or a key. */
export function isAgent({ kind, overMcp }: ActingCaller): boolean {
  return kind === 'agent' || overMcp === true;
}
