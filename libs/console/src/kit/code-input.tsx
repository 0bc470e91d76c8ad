import { TextInput, type TextInputProps } from '@mantine/core';

import { useEntryWords } from './entry-words-context.js';

/** For a code of six digits; where `orRecovery`, for a recovery code as well. */
export function CodeInput({ orRecovery = false, ...props }: TextInputProps & { orRecovery?: boolean }) {
  const words = useEntryWords();
  return (
    <TextInput
      label={words.code}
      description={orRecovery ? words.codeOrRecovery : words.codeOfApp}
      autoComplete="one-time-code"
      inputMode={orRecovery ? 'text' : 'numeric'}
      minLength={6}
      maxLength={40}
      required
      withAsterisk={false}
      {...props}
    />
  );
}
