import type { Role } from './use-place.js';

/** What a role is called in a sentence, and what it lets one do. */
export const ROLE_WORDS: Record<Role, { article: string; may: string }> = {
  owner: { article: 'an owner', may: 'You may do everything in it, also invite and remove owners.' },
  admin: {
    article: 'an admin',
    may: 'You may manage its people, secrets and settings, and all of its scripts.',
  },
  member: { article: 'a member', may: 'You may write and run scripts, and ask for what needs approval.' },
  guest: {
    article: 'a guest',
    may: 'You may run the scripts that are shared with your teams, and see your own runs.',
  },
};
