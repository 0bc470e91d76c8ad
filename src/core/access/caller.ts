import type { Role } from './roles.js';

/** How somebody arrived. `agent` is an app that a person connected through OAuth. */
export type CallerKind = 'session' | 'personal_token' | 'api_key' | 'agent';

/** Where a person acts themselves, in the app or by a personal token, rather than an API key or an agent. */
export const IN_PERSON: readonly CallerKind[] = ['session', 'personal_token'];

export interface Person {
  id: string;
  name: string;
  email: string;
}

export type ApprovalPolicy = 'none' | 'agents' | 'always';

export interface ActingEnvironment {
  id: string;
  name: string;
  approvalPolicy: ApprovalPolicy;
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
  /** False: a session whose person gave their password more than an hour ago. */
  confirmed: boolean;
}

/** A caller on a workspace route, admitted to the workspace and acting in one environment. */
export interface WorkspaceCaller extends Caller {
  workspace: { id: string; slug: string; name: string };
  /** An API key acts as an admin. */
  role: Role;
  environment: ActingEnvironment;
  /** The credential, an API key or an app's grant, is bound to its environment and sees no other. */
  bound: boolean;
  /** Set in a conversation with an agent, whose id is the `credentialId` then. */
  agent?: AskedAgent;
  /** Set at `/mcp`: a model acts, with whatever credential. */
  overMcp?: true;
  /** The run of this workspace whose script sent the request. Only what went through the gate says so. */
  run?: { id: string };
}

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
