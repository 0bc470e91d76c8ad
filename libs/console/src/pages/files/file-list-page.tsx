import { type FileListItem, filesDelete } from '@gatehouse/client/operations';
import { filesListInfiniteOptions, filesListInfiniteQueryKey } from '@gatehouse/client/react-query';
import { Box, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useMemo } from 'react';

import { lazily } from '../../kit/lazily.js';
import { usePlace } from '../../app/use-place.js';
import { confirmDestruction } from '../../kit/confirm.js';
import { Empty } from '../../kit/empty.js';
import { Listing } from '../../kit/listing.js';
import { notifyDone, notifyProblem } from '../../kit/notify.js';
import { Page } from '../../kit/page.js';
import { usePages } from '../../kit/use-pages.js';
import { fileColumns } from './file-columns.js';

const FileUpload = lazily(() => import('./file-upload.js'));

/** As tall as what is loaded into its place. */
const UPLOAD_HEIGHT = 48;

export function FileListPage() {
  const place = usePlace();
  const queries = useQueryClient();
  const query = usePages(filesListInfiniteOptions({ query: { limit: 50 } }));
  const columns = useMemo(() => {
    const readAgain = (): Promise<void> =>
      queries.invalidateQueries({ queryKey: filesListInfiniteQueryKey().slice(0, 1) });
    const remove = async ({ id, name }: FileListItem): Promise<void> => {
      try {
        await filesDelete({ path: { fileId: id } });
        notifyDone(`${name} is deleted.`);
        await readAgain();
      } catch (error) {
        notifyProblem(error);
      }
    };
    const onDelete = (file: FileListItem): void =>
      confirmDestruction({
        title: `Delete ${file.name}?`,
        children:
          file.run === null
            ? 'The file is gone for good.'
            : 'The file is gone for good. The run that it belongs to stays.',
        confirm: 'Delete',
        onConfirm: () => void remove(file),
      });
    return fileColumns({ place, onDelete });
  }, [place, queries]);

  return (
    <Page
      title="Files"
      description="What was given to runs and what they wrote. Files go by themselves when their time is up."
    >
      <Stack>
        <Suspense fallback={<Box h={UPLOAD_HEIGHT} />}>
          <FileUpload onUploaded={() => void query.refetch()} />
        </Suspense>
        <Listing
          label="Files"
          query={query}
          columns={columns}
          empty={
            <Empty title="No file yet">
              Files that are given to a run, or that a run writes to /outputs, are listed here. Drop one above
              to use it in a run within a day.
            </Empty>
          }
        />
      </Stack>
    </Page>
  );
}
