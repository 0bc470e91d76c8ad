import type { ScriptDay } from '@gatehouse/client/operations';
import { scriptsActivityOptions } from '@gatehouse/client/react-query';
import { useQuery } from '@tanstack/react-query';

import { BarChart } from '../../../kit/chart/bar-chart.js';
import { ChartPanel } from '../../../kit/chart/chart-panel.js';
import type { ChartColumn } from '../../../kit/chart/column.js';
import { Legend } from '../../../kit/chart/legend.js';
import { LOCALE } from '../../../kit/locale.js';
import { WideTable } from '../../../kit/wide-table.js';
import { bucketLabel } from '../../insights/bucket-words.js';
import { ENDS } from '../../insights/ends.js';
import { useScript } from '../script-context.js';

/** What is told of a day: its other ends are not. */
const [SUCCEEDED, FAILED] = ENDS;
const TOLD = [SUCCEEDED, FAILED];

/** The runs of the last 30 days, also of somebody who may read no statistics. */
export function Activity() {
  const { slug } = useScript();
  const query = useQuery(scriptsActivityOptions({ path: { slug } }));
  const days = query.data?.days ?? [];
  return (
    <ChartPanel
      title="Runs of the last 30 days"
      query={query}
      chart={() => (
        <BarChart label="Runs of the last 30 days, by day" columns={days.map(columnOf)} series={TOLD} />
      )}
      table={() => (
        <WideTable
          label="Day (UTC)"
          head={['Day (UTC)', 'Started', 'Succeeded', 'Failed']}
          empty="No runs in the last 30 days."
          rows={days
            .filter(({ runs, succeeded, failed }) => runs + succeeded + failed > 0)
            .toReversed()
            .map(({ day, runs, succeeded, failed }) => ({ key: day, cells: [day, runs, succeeded, failed] }))}
        />
      )}
    >
      <Legend
        entries={TOLD.map(({ name, tone }) => ({
          tone,
          text: `${days.reduce((sum, day) => sum + day[name], 0).toLocaleString(LOCALE)} ${name}`,
        }))}
      />
    </ChartPanel>
  );
}

const columnOf = (ended: ScriptDay): ChartColumn => ({
  key: ended.day,
  label: bucketLabel(ended.day, 'day'),
  short: bucketLabel(ended.day, 'day'),
  values: TOLD.map(({ name }) => ended[name]),
});
