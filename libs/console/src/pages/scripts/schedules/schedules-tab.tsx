import { schedulesListOfScriptInfiniteOptions } from '@gatehouse/client/react-query';

import { usePages } from '../../../kit/use-pages.js';
import { AutomationList } from '../automations/automation-list.js';
import { useScript } from '../script-context.js';
import { useScheduleColumns } from './schedule-columns.js';

export function SchedulesTab() {
  const { slug } = useScript();
  const query = usePages(schedulesListOfScriptInfiniteOptions({ path: { slug }, query: { limit: 25 } }));
  const columns = useScheduleColumns();
  return (
    <AutomationList
      kind="schedule"
      query={query}
      columns={columns}
      empty={{
        title: 'No schedule yet',
        published:
          'A schedule runs this script by the clock: each hour, each workday at nine, on the first of the month.',
        unpublished: 'Publish a version first; then it can run by the clock.',
      }}
    />
  );
}
