import { Anchor, Typography } from '@mantine/core';
import type { ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';

import classes from './markdown-text.module.css';

const schema = {
  ...defaultSchema,
  protocols: { ...defaultSchema.protocols, href: ['http', 'https', 'mailto'] },
};

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

export default function MarkdownText({ text }: { text: string }) {
  return (
    <Typography className={`${classes['text']} user-text`}>
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[[rehypeSanitize, schema]]}
        components={components}
      >
        {text}
      </ReactMarkdown>
    </Typography>
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
