import { Textarea } from '@mantine/core';

interface Props {
  value: string;
  onChange: (reason: string) => void;
  /** At once on a page. */
  autoFocus?: boolean;
  /** When a dialog opens. */
  'data-autofocus'?: boolean;
}

/** Asks whoever says no for a reason, which they may leave out. */
export function WhyNot({ onChange, ...field }: Props) {
  return (
    <Textarea
      label="Why not?"
      description="For the one who asked. You may leave it empty."
      maxLength={500}
      autosize
      minRows={2}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...field}
    />
  );
}

/** The body of a no. */
export function denial(reason: string): { reason?: string } {
  return reason.trim() === '' ? {} : { reason: reason.trim() };
}
