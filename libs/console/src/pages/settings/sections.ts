export interface Rights {
  administers: boolean;
  edits: boolean;
}

export interface Section {
  label: string;
  /** Below `/w/$workspace/$environment/settings`. */
  path: string;
  isOffered: (rights: Rights) => boolean;
}

export const WITHIN_SETTINGS = '/w/$workspace/$environment/settings';

const edits = (rights: Rights): boolean => rights.edits;
const administers = (rights: Rights): boolean => rights.administers;

export const SECTIONS: readonly Section[] = [
  { label: 'General', path: '', isOffered: edits },
  { label: 'Members', path: '/members', isOffered: edits },
  { label: 'Teams', path: '/teams', isOffered: edits },
  { label: 'Environments', path: '/environments', isOffered: edits },
  { label: 'Queues', path: '/queues', isOffered: edits },
  { label: 'Alerts', path: '/alerts', isOffered: administers },
  { label: 'Secrets', path: '/secrets', isOffered: edits },
  { label: 'Authorities', path: '/authorities', isOffered: edits },
  { label: 'API keys', path: '/api-keys', isOffered: administers },
  { label: 'Usage', path: '/usage', isOffered: edits },
  { label: 'Audit log', path: '/audit', isOffered: administers },
];

/** The section that a path within the settings belongs to: `/secrets/STRIPE_KEY` is one of the secrets'. */
export function sectionAt(path: string): Section | undefined {
  const [, first = ''] = path.split('/');
  return SECTIONS.find((section) => section.path === (first === '' ? '' : `/${first}`));
}

/** What of a page's path is below the settings: `/secrets`. null: it is no page of them. */
export function withinSettings(pathname: string): string | null {
  const found = /\/w\/[^/]+\/[^/]+\/settings(\/.*)?$/.exec(pathname);
  return found && (found[1] ?? '');
}
