import { Box, Grid } from '@mantine/core';

import { Empty } from '../../../kit/empty.js';
import { Markdown } from '../../../kit/markdown.js';
import { RunScript } from '../../runs/run-script.js';
import { useScript } from '../script-context.js';

/** The form that runs the script, and beside it what its author wrote about it. */
export function RunTab() {
  const { readme } = useScript();
  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, md: readme ? 6 : 8 }}>
        <RunPlace />
      </Grid.Col>
      {readme && (
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Box component="section" aria-label="Readme">
            <Markdown text={readme} />
          </Box>
        </Grid.Col>
      )}
    </Grid>
  );
}

/** Where the run form stands. */
function RunPlace() {
  const script = useScript();
  if (script.publishedVersion === null) return <Empty title="There is nothing to run yet" />;
  return <RunScript script={script} />;
}
