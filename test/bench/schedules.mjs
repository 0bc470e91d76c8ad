// Ten thousand schedules that are due at the same moment, fired by one process and by two.
import { Table } from './support/measure.mjs';
import { schedulesDueAtOnce } from './support/schedules-due.mjs';

const table = new Table();
await schedulesDueAtOnce(table);
await schedulesDueAtOnce(table, { processes: 2 });
table.print();
