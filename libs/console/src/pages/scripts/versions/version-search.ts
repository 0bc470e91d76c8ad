export const VERSION_VIEWS = ['about', 'files', 'changes', 'build'] as const;
export type VersionView = (typeof VERSION_VIEWS)[number];

/** What of a version is shown; it stands in the page's address. */
export interface VersionSearch {
  view?: VersionView;
  /** With `files`: the one that is open. */
  file?: string;
  /** With `changes`: the number of the version to compare with. */
  against?: number;
}

export function versionSearchOf(search: Record<string, unknown>): VersionSearch {
  const view = VERSION_VIEWS.find((known) => known === search['view']);
  const file = typeof search['file'] === 'string' ? search['file'] : '';
  const against = Number(search['against']);
  return {
    ...(view && { view }),
    ...(file && { file }),
    ...(Number.isInteger(against) && against > 0 && { against }),
  };
}
