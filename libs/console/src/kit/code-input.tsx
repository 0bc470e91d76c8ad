import { TextInput, type TextInputProps } from '@mantine/core';

/** For a code of six digits; where `orRecovery`, for a recovery code as well. */
export function CodeInput({ orRecovery = false, ...props }: TextInputProps & { orRecovery?: boolean }) {
  return (
    <TextInput
      label="Code"
      description={
        orRecovery
          ? 'Six digits of your app for codes, or a recovery code.'
          : 'Six digits that the app shows.'
      }
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
