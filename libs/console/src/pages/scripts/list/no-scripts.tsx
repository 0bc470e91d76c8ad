import { Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';

import { lazily } from '../../../kit/lazily.js';
import { usePlace, useRights } from '../../../app/use-place.js';
import { Empty } from '../../../kit/empty.js';

const TemplateLinks = lazily(() =>
  import('./template-links.js').then((module) => ({ default: module.TemplateLinks })),
);

export function NoScripts({ isSearch, onClear }: { isSearch: boolean; onClear: () => void }) {
  const { edits } = useRights();
  if (isSearch) {
    return (
      <Empty
        title="No script fits"
        action={
          <Button variant="default" onClick={onClear}>
            Show all scripts
          </Button>
        }
      >
        Try another word, or fewer filters.
      </Empty>
    );
  }
  if (!edits) {
    return (
      <Empty title="No script is shared with you yet">
        You see the scripts that are shared with your teams. Ask a member of this workspace to share one.
      </Empty>
    );
  }
  return (
    <Empty
      title="No script yet"
      action={
        <Stack align="center">
          <NewScriptButton />
          <Suspense>
            <TemplateLinks />
          </Suspense>
        </Stack>
      }
    >
      Drop a folder, paste a file, or begin from one of these templates: try it beside the editor, then
      publish it.
    </Empty>
  );
}

export function NewScriptButton() {
  const place = usePlace();
  return (
    <Button
      renderRoot={(props) => <Link to="/w/$workspace/$environment/scripts/new" params={place} {...props} />}
    >
      New script
    </Button>
  );
}
