import { Stack } from '@mantine/core';

import { notifyDone } from '../../kit/notify.js';
import { DropZone, UploadList } from '../../kit/run-form/drop-zone.js';
import { useUploads } from '../../kit/run-form/use-uploads.js';

/** Takes files before a run asks for them. */
export default function FileUpload({ onUploaded }: { onUploaded: () => void }) {
  const { uploads, start } = useUploads(({ name }) => {
    notifyDone(`${name} is uploaded.`);
    onUploaded();
  });
  return (
    <Stack gap="xs">
      <DropZone label="Upload files" multiple onFiles={start} />
      <UploadList uploads={uploads} />
    </Stack>
  );
}
