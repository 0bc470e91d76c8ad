import type { TextInputProps } from '@mantine/core';

import { PasswordInput } from './password-input.js';

/** The service's own limits; what it refuses besides is said at the field. */
export function NewPasswordInput(props: TextInputProps) {
  return (
    <PasswordInput
      label="New password"
      description="At least 8 characters."
      autoComplete="new-password"
      minLength={8}
      maxLength={200}
      required
      withAsterisk={false}
      {...props}
    />
  );
}
