/** Through what a version was made. */
export const VERSION_ORIGINS = ['cli', 'api', 'app'] as const;
export type VersionOrigin = (typeof VERSION_ORIGINS)[number];
