/**
 * What a challenge is for: the second step after a password; signing in by a passkey alone; making sure of somebody who
 * is signed in; a new passkey.
 */
export type ChallengePurpose = 'second_step' | 'passkey' | 'confirmation' | 'registration';
