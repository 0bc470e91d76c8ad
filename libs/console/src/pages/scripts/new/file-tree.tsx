import { UnstyledButton } from '@mantine/core';
import IconChevronDown from 'icon:chevron-down';
import IconChevronRight from 'icon:chevron-right';
import IconFile from 'icon:file';
import { useState } from 'react';

import type { TreeNode } from './draft-files.js';
import classes from './new.module.css';

interface FileTreeProps {
  nodes: TreeNode[];
  open: string | null;
  onOpen: (path: string) => void;
}

/** Folders and files; each is a button, so it needs no keys of its own. */
export function FileTree({ nodes, open, onOpen }: FileTreeProps) {
  return (
    <ul className={classes['tree']}>
      {nodes.map((node) => (
        <li key={node.value}>
          {node.children ? (
            <Folder node={node} nodes={node.children} open={open} onOpen={onOpen} />
          ) : (
            <UnstyledButton
              className={classes['node']}
              aria-current={open === node.value || undefined}
              onClick={() => onOpen(node.value)}
            >
              <IconFile size={15} aria-hidden />
              <span className="user-text">{node.label}</span>
            </UnstyledButton>
          )}
        </li>
      ))}
    </ul>
  );
}

function Folder({ node, ...rest }: FileTreeProps & { node: TreeNode }) {
  const [isOpen, setOpen] = useState(rest.open?.startsWith(node.value) ?? false);
  return (
    <>
      <UnstyledButton className={classes['node']} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? <IconChevronDown size={15} aria-hidden /> : <IconChevronRight size={15} aria-hidden />}
        <span className="user-text">{node.label}</span>
      </UnstyledButton>
      {isOpen && <FileTree {...rest} />}
    </>
  );
}
