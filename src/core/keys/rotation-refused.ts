/** The master key was not changed, for this reason. */
export class RotationRefused extends Error {}
