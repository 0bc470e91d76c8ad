import { CommandFailure, WrongUse } from '../failure/command-failure.js';
import { EXIT } from '../failure/exit-codes.js';
import { addressOf } from './address.js';
import { type Profile, readProfile } from './profiles.js';

/** The options that every command has. */
export interface GlobalOptions {
  profile?: string;
  url?: string;
  workspace?: string;
  env?: string;
}

/** Where a command acts, and as whom. */
export interface Settings {
  profileName: string;
  profile: Profile | null;
  url: string;
  workspace: string | null;
  environment: string | null;
  /** From `GATEHOUSE_TOKEN` or `GATEHOUSE_API_KEY`; null where the profile's is used. */
  givenToken: string | null;
}

const DEFAULT_PROFILE = 'default';

export function profileNameOf({ profile }: GlobalOptions): string {
  return profile ?? (process.env['GATEHOUSE_PROFILE'] || DEFAULT_PROFILE);
}

/** The variable that has the credential: the token, where both are set. */
export function credentialVariable(): 'GATEHOUSE_TOKEN' | 'GATEHOUSE_API_KEY' | null {
  if (process.env['GATEHOUSE_TOKEN']) return 'GATEHOUSE_TOKEN';
  return process.env['GATEHOUSE_API_KEY'] ? 'GATEHOUSE_API_KEY' : null;
}

/** An option counts before the environment variable, and that before the profile. */
export async function settingsOf(options: GlobalOptions): Promise<Settings> {
  const { GATEHOUSE_WORKSPACE, GATEHOUSE_ENVIRONMENT } = process.env;
  const variable = credentialVariable();
  const givenToken = variable === null ? null : process.env[variable]!;
  const profileName = profileNameOf(options);
  const profile = await readProfile(profileName);
  if (givenToken === null && !profile) {
    throw new CommandFailure('You are not signed in.', 'Run: gatehouse login', EXIT.notAllowed);
  }
  const url = urlFrom(options, profile);
  // A token goes to the address that it was made for, and to no other.
  if (givenToken === null && new URL(url).origin !== new URL(profile!.url).origin) {
    throw new CommandFailure(
      `You are signed in to ${profile!.url}, not to ${url}.`,
      `Run: gatehouse login --url ${url} --profile NAME`,
      EXIT.notAllowed,
    );
  }
  return {
    profileName,
    profile,
    url,
    workspace: options.workspace ?? (GATEHOUSE_WORKSPACE || (profile?.workspace ?? null)),
    environment: options.env ?? (GATEHOUSE_ENVIRONMENT || (profile?.environment ?? null)),
    givenToken,
  };
}

/** Where the service is, for what takes no sign-in. */
export async function urlOf(options: GlobalOptions): Promise<string> {
  return urlFrom(options, await readProfile(profileNameOf(options)));
}

function urlFrom({ url }: GlobalOptions, profile: Profile | null): string {
  const address = url ?? (process.env['GATEHOUSE_URL'] || profile?.url);
  if (address !== undefined) return addressOf(address);
  throw new WrongUse('Where is Gatehouse?', 'Set GATEHOUSE_URL or add --url, or run: gatehouse login');
}
