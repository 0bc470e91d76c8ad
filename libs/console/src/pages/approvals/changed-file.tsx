import { ChangeBadge } from './facts.js';
import type { FileChange } from './version-files.js';

export function ChangedFile({ path, change }: FileChange & { slug: string; before: number; after: number }) {
  return (
    <li>
      <code className="user-text">{path}</code>{' '}
      <ChangeBadge change={change === 'removed' ? 'gone' : 'new'} label={change} />
    </li>
  );
}
