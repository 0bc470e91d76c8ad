import type { ApprovalRequest } from '@gatehouse/client/operations';
import IconCopy from 'icon:copy';
import IconFileCode from 'icon:file-code';
import IconPlayerPlay from 'icon:player-play';

import { usePlace } from '../../app/use-place.js';
import { copied } from '../../kit/copied.js';
import { RowActs } from '../../kit/row-acts.js';
import { headingOf, runIdOf, versionOf } from './approval.js';

/** What can be done with a request in a list, beside deciding it. */
export function ApprovalActs({ request }: { request: ApprovalRequest }) {
  const place = usePlace();
  const runId = runIdOf(request);
  const version = versionOf(request);
  const ofRun = runId && {
    label: 'Open the run',
    icon: IconPlayerPlay,
    link: { to: '/w/$workspace/$environment/runs/$runId', params: { ...place, runId } },
  };
  const ofVersion = version && {
    label: 'Open the version',
    icon: IconFileCode,
    link: {
      to: '/w/$workspace/$environment/scripts/$slug/versions/$number',
      params: { ...place, slug: version.slug, number: String(version.number) },
    },
  };
  return (
    <RowActs
      of={headingOf(request)}
      acts={[
        ...(ofRun ? [ofRun] : []),
        ...(ofVersion ? [ofVersion] : []),
        { label: 'Copy the id', icon: IconCopy, onAct: () => void copied(request.id) },
      ]}
    />
  );
}
