import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const both = (light: string, dark: string): string => `light-dark(${light}, ${dark})`;

const KEYWORD = both('#a0111f', '#ff9b92');
const TEXT = both('#0a3069', '#a5d6ff');
const VALUE = both('#0550ae', '#79c0ff');
const QUIET = both('#57606a', '#a8b1bb');
const NAMED = both('#6639ba', '#d2a8ff');
const KIND = both('#8a3300', '#ffb77a');

/** Each has at least 4.5 : 1 on the page and on the colours of a changed line, in both themes. */
const syntax = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.tagName], color: KEYWORD },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.character], color: TEXT },
  {
    tag: [tags.number, tags.bool, tags.null, tags.atom, tags.propertyName, tags.attributeName],
    color: VALUE,
  },
  { tag: [tags.comment, tags.meta, tags.processingInstruction], color: QUIET },
  {
    tag: [tags.function(tags.variableName), tags.definition(tags.function(tags.variableName))],
    color: NAMED,
  },
  { tag: [tags.typeName, tags.className, tags.namespace, tags.standard(tags.variableName)], color: KIND },
  { tag: tags.heading, color: VALUE, fontWeight: '600' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.link, tags.url], color: TEXT, textDecoration: 'underline' },
  { tag: tags.invalid, color: KEYWORD, textDecoration: 'underline wavy' },
]);

const BORDER = both('var(--mantine-color-gray-3)', 'var(--mantine-color-dark-4)');
const PANEL = both('var(--mantine-color-gray-0)', 'var(--mantine-color-dark-6)');

const surface = EditorView.theme({
  '&': { color: 'var(--mantine-color-text)', backgroundColor: 'var(--mantine-color-body)', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': { backgroundColor: PANEL, color: QUIET, borderRight: `1px solid ${BORDER}` },
  '.cm-activeLineGutter': {
    backgroundColor: both('var(--mantine-color-gray-2)', 'var(--mantine-color-dark-5)'),
    color: 'inherit',
  },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: both('#cfe6ee', '#234b55'),
  },
  '.cm-searchMatch': { backgroundColor: both('#fff0b3', '#4d4313'), outline: `1px solid ${BORDER}` },
  '.cm-searchMatch.cm-searchMatch-selected': { backgroundColor: both('#ffd970', '#6b5c0f') },
  '.cm-selectionMatch': { backgroundColor: both('#e8f3f6', '#2b3b40') },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: both('#d8ecd8', '#2c4a2c') },
  '.cm-specialChar': { color: both('#c92a2a', '#ff8787') },
  '.cm-panels': { backgroundColor: PANEL, color: 'inherit', borderColor: `${BORDER} !important` },
  '.cm-panel.cm-search': { padding: '6px 28px 6px 8px' },
  '.cm-panel.cm-search label': { fontSize: '12px' },
  '.cm-textfield': { backgroundColor: 'var(--mantine-color-body)', borderColor: BORDER, fontSize: '13px' },
  '.cm-button': {
    background: 'none',
    backgroundColor: 'var(--mantine-color-body)',
    borderColor: BORDER,
    fontSize: '12px',
  },
});

/** Added and removed lines have a sign before them: nobody has to tell red from green. */
const changes = EditorView.theme({
  '.cm-changeGutter': { width: '1.3em', paddingLeft: '0', textAlign: 'center' },
  '.cm-changedLineGutter::before, .cm-insertedLineGutter::before': { content: '"+"' },
  '.cm-deletedLineGutter::before': { content: '"−"' },
  '&.cm-merge-a .cm-changedLineGutter::before': { content: '"−"' },
  '& .cm-changedLineGutter, & .cm-insertedLineGutter': {
    background: `${both('#ccf1d5', '#143d21')} !important`,
    color: both('#0f5323', '#8fe0a4'),
  },
  '& .cm-deletedLineGutter, &.cm-merge-a .cm-changedLineGutter': {
    background: `${both('#ffd7d3', '#4a1a1b')} !important`,
    color: both('#82071e', '#ffb3ad'),
  },
  '&.cm-merge-b .cm-changedLine, & .cm-insertedLine, & .cm-inlineChangedLine': {
    backgroundColor: `${both('#eafbee', '#10291a')} !important`,
  },
  '&.cm-merge-a .cm-changedLine, & .cm-deletedChunk': {
    backgroundColor: `${both('#fff1ef', '#301415')} !important`,
  },
  '& .cm-changedText, &.cm-merge-b .cm-changedText, & .cm-insertedLine .cm-changedText': {
    background: `${both('#bdf0ca', '#174a26')} !important`,
  },
  '& .cm-deletedText, &.cm-merge-a .cm-changedText, & .cm-deletedChunk .cm-deletedText': {
    background: `${both('#ffd2cd', '#5c1f1f')} !important`,
    textDecoration: 'none',
  },
  '.cm-deletedLine, .cm-deletedLine del, ins.cm-insertedLine': { textDecoration: 'none' },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"⋯" !important' },
  '.cm-collapsedLines': {
    background: `${PANEL} !important`,
    color: `${QUIET} !important`,
    padding: '4px 8px',
  },
});

export const colours: Extension = [surface, syntaxHighlighting(syntax)];
export const changeColours: Extension = changes;
