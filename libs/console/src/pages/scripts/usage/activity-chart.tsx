import type { ScriptDay } from '@gatehouse/client/operations';
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';

import classes from './activity.module.css';

const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** What ended on each day; the same stands in a table for those who cannot see it. */
export default function ActivityChart({ days }: { days: ScriptDay[] }) {
  return (
    <div className={classes['chart']} aria-hidden>
      <ResponsiveContainer width="100%" height="100%">
        <BarChart data={days} accessibilityLayer={false} margin={{ top: 4, right: 0, bottom: 0, left: 0 }}>
          <CartesianGrid vertical={false} stroke="var(--mantine-color-default-border)" />
          <XAxis
            dataKey="day"
            tickFormatter={(value: string) => day.format(new Date(value))}
            tick={{ fill: 'var(--mantine-color-dimmed)', fontSize: 12 }}
            tickLine={false}
            axisLine={false}
            minTickGap={24}
          />
          <YAxis
            width={32}
            allowDecimals={false}
            tick={{ fill: 'var(--mantine-color-dimmed)', fontSize: 12 }}
            tickLine={false}
            axisLine={false}
          />
          <Tooltip
            cursor={{ fill: 'var(--mantine-color-default-hover)' }}
            labelFormatter={(value) => day.format(new Date(String(value)))}
            contentStyle={{
              background: 'var(--mantine-color-body)',
              border: '1px solid var(--mantine-color-default-border)',
              borderRadius: 4,
              fontSize: 13,
            }}
            itemStyle={{ color: 'var(--mantine-color-text)' }}
          />
          <Bar
            dataKey="succeeded"
            name="succeeded"
            stackId="runs"
            fill="var(--mantine-color-teal-6)"
            isAnimationActive={false}
          />
          <Bar
            dataKey="failed"
            name="failed"
            stackId="runs"
            fill="var(--mantine-color-red-6)"
            isAnimationActive={false}
          />
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}
