import type { LinkProps } from '@tanstack/react-router';

/** One place on a chart's line of time. */
export interface ChartColumn {
  /** Names it in the document; different for each. */
  key: string;
  /** For whoever reads it: `Nov 26, 14:00`. */
  label: string;
  /** Below the chart: `14:00`. */
  short: string;
  /** One for each of the chart's series; null: nothing is known there. */
  values: readonly (number | null)[];
  /** What lies behind it. */
  link?: LinkProps;
}

/** Its look is told by its tone, in light and dark: see `chart.module.css`. */
export interface ChartSeries {
  /** After a number: `succeeded`; or before a duration: `Half took`. */
  name: string;
  tone: 'good' | 'bad' | 'quiet' | 'middle' | 'high' | 'first' | 'second' | 'third' | 'fourth';
}
