import { CodeView } from '../../../kit/code-view.js';
import { Empty } from '../../../kit/empty.js';

export function BuildLog({ log }: { log: string | null }) {
  if (log === null || log === '') {
    return (
      <Empty title="Nothing was installed">The version brings no dependencies, so there was no build.</Empty>
    );
  }
  return <CodeView text={log} path="build.log" label="Build log" />;
}
