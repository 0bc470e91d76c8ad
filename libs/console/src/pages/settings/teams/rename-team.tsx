import { type Team, teamsUpdate } from '@gatehouse/client/operations';

import { useRefresh } from '../../../kit/use-refresh.js';
import { TeamNameForm } from './team-name-form.js';

export function RenameTeam({ team, onClose }: { team: Team; onClose: () => void }) {
  const refresh = useRefresh();
  return (
    <TeamNameForm
      name={team.name}
      submitLabel="Rename"
      save={(name) => teamsUpdate({ path: { id: team.id }, body: { name } })}
      onSaved={() => void refresh('teamsList')}
      onClose={onClose}
    />
  );
}
