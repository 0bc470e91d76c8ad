import { Button } from '@mantine/core';
import { useRef } from 'react';

/** Opens the browser's dialog for a whole folder. */
export function FolderButton({
  loading,
  onChoose,
}: {
  loading: boolean;
  onChoose: (files: FileList) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button loading={loading} onClick={() => input.current?.click()}>
        Choose a folder
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        {...{ webkitdirectory: '' }}
        onChange={({ currentTarget }) => {
          if (currentTarget.files?.length) onChoose(currentTarget.files);
          currentTarget.value = '';
        }}
      />
    </>
  );
}
