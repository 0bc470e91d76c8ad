import { Container } from '@mantine/core';
import { type ReactNode, createContext, use } from 'react';

/** Whether a frame around has the page's `main` already. */
export const WithinMain = createContext(false);

/** Something in place of a page, within a frame or by itself. */
export function WholePage({ children }: { children: ReactNode }) {
  const framed = use(WithinMain);
  return (
    <Container component={framed ? 'div' : 'main'} size="sm" py="xl">
      {children}
    </Container>
  );
}
