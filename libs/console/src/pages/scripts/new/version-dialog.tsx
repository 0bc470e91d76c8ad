import { Textarea } from '@mantine/core';
import { useState } from 'react';

import { DialogForm } from '../../../kit/dialog-form.js';
import { FormDialog } from '../../../kit/form-dialog.js';

interface QuestionProps {
  /** `Make a version` */
  submitLabel: string;
  message: string;
  onMessage: (message: string) => void;
  onClose: () => void;
}

interface VersionDialogProps extends QuestionProps {
  title: string;
  opened: boolean;
}

/** Asks what is new, for whoever looks at the list of versions. */
export function VersionDialog({ title, opened, ...question }: VersionDialogProps) {
  return (
    <FormDialog title={title} opened={opened} onClose={question.onClose}>
      <Question {...question} />
    </FormDialog>
  );
}

function Question({ submitLabel, message, onMessage, onClose }: QuestionProps) {
  const [text, setText] = useState(message);
  const submit = (): void => {
    onClose();
    onMessage(text.trim());
  };
  return (
    <DialogForm submitLabel={submitLabel} onSubmit={submit} onCancel={onClose} busy={false} error={null}>
      <Textarea
        label="What is new in this version"
        description="For whoever looks at the list of versions. It may be left empty; Enter goes on."
        maxLength={500}
        autosize
        minRows={2}
        maxRows={6}
        data-autofocus
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          submit();
        }}
      />
    </DialogForm>
  );
}
