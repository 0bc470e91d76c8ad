import { Anchor, Text, Typography } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Root } from 'hast';
import { type Components, toJsxRuntime } from 'hast-util-to-jsx-runtime';
import type { ReactNode } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';

import classes from './markdown-text.module.css';
import { OffThread } from './off-thread.js';

const LIMIT_MS = 2_000;

/** A short text can take minutes to be read as Markdown, or become millions of elements. */
const trees = new OffThread<string, Root>(
  () => new Worker(new URL('./markdown-worker.ts', import.meta.url), { type: 'module' }),
  LIMIT_MS,
);

/** The page has the one heading of the first level; those of the text begin below it. */
const components: Components = {
  h1: 'h2',
  h2: 'h3',
  h3: 'h4',
  h4: 'h5',
  h5: 'h6',
  a: ({ href, children }) => <WebLink href={href}>{children}</WebLink>,
  // The page asks no other server for anything, so a picture is a link to it.
  img: ({ src, alt }) => (
    <WebLink href={typeof src === 'string' ? src : undefined}>{alt || 'picture'}</WebLink>
  ),
  input: ({ checked }) => (
    <input type="checkbox" disabled checked={checked} aria-label={checked ? 'done' : 'not done'} />
  ),
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  table: ({ children }) => (
    <div className={classes['wide']} tabIndex={0} role="region" aria-label="Table">
      <table>{children}</table>
    </div>
  ),
};

export default function MarkdownText({ text, meanwhile }: { text: string; meanwhile: ReactNode }) {
  const { data: tree } = useQuery({
    queryKey: ['markdown', text],
    queryFn: () => trees.ask(text),
    staleTime: Infinity,
    gcTime: 60_000,
  });
  if (tree === undefined) return meanwhile;
  if (tree === null) return <PlainText text={text} />;
  return (
    <Typography className={`${classes['text']} user-text`}>
      {toJsxRuntime(tree, { Fragment, jsx, jsxs, components, ignoreInvalidStyle: true, passKeys: true })}
    </Typography>
  );
}

/** As it was written, where drawing it would hold up the page. */
function PlainText({ text }: { text: string }) {
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        This is too intricate to be shown as Markdown.
      </Text>
      <pre className={`${classes['plain']} user-text`} tabIndex={0}>
        {text}
      </pre>
    </>
  );
}

/** What leads to a place within the text or the archive leads nowhere here, so it stays plain text. */
function WebLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (!href || !/^(https?:|mailto:)/i.test(href)) return <span>{children}</span>;
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer nofollow" underline="always" inherit>
      {children}
    </Anchor>
  );
}
