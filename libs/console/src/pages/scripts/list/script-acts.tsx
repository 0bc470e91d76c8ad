import type { Script } from '@gatehouse/client/operations';
import IconCopy from 'icon:copy';
import IconHistory from 'icon:history';
import IconPencil from 'icon:pencil';
import IconPlayerPlay from 'icon:player-play';

import { usePlace, useRights } from '../../../app/use-place.js';
import { copied } from '../../../kit/copied.js';
import { RowActs } from '../../../kit/row-acts.js';

const PAGE = '/w/$workspace/$environment/scripts/$slug';

/** What can be done with a script in a list. */
export function ScriptActs({ script: { slug, name, status } }: { script: Script }) {
  const place = usePlace();
  const { edits } = useRights();
  const params = { ...place, slug };
  const run = { label: 'Run', icon: IconPlayerPlay, link: { to: PAGE, params } };
  const edit = { label: 'Edit', icon: IconPencil, link: { to: `${PAGE}/edit`, params } };
  return (
    <RowActs
      of={name}
      acts={[
        ...(status === 'published' ? [run] : []),
        { label: 'Its runs', icon: IconHistory, link: { to: `${PAGE}/runs`, params } },
        ...(edits && status !== 'archived' ? [edit] : []),
        { label: 'Copy the slug', icon: IconCopy, onAct: () => void copied(slug) },
      ]}
    />
  );
}
