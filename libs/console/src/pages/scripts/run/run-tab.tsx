import { Box, Grid } from '@mantine/core';

import { useRights } from '../../../app/use-place.js';
import { Empty } from '../../../kit/empty.js';
import { Markdown } from '../../../kit/markdown.js';
import { RunScript } from '../../runs/run-script.js';
import { LastRuns } from '../runs/last-runs.js';
import { useScript } from '../script-context.js';

/** The form that runs the script, and beside it what its author wrote about it. */
export function RunTab() {
  const script = useScript();
  const { edits } = useRights();
  const { readme, status } = script;
  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, md: readme ? 6 : 8 }}>
        {status === 'published' ? (
          <RunScript script={script} />
        ) : (
          <Empty title="It cannot be run at the moment">
            {!edits
              ? 'A member of this workspace has to publish it first.'
              : status === 'archived'
                ? 'Restore it, then publish one of its versions.'
                : 'Publish one of its versions first.'}
          </Empty>
        )}
        <Box mt="xl">
          <LastRuns />
        </Box>
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
