import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView, highlightSpecialChars } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { nameOf, unseen } from '../shared/seen/seen.ts'

/** The nonce of the page. Its content security policy allows styles that carry it. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? ''

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '0.8125rem', backgroundColor: 'var(--mantine-color-body)', color: 'var(--mantine-color-text)' },
  '&.cm-focused': { outline: '2px solid var(--mantine-color-harbour-5)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.55', fontVariantLigatures: 'none' },
  '.cm-content': { caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--mantine-color-dimmed)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'var(--hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { background: 'var(--chosen)' },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', border: '1px solid var(--line)', color: 'var(--mantine-color-text)', maxWidth: '36rem' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--chosen)', color: 'var(--mantine-color-text)' },
  '.cm-completionInfo': { whiteSpace: 'pre-wrap', maxWidth: '26rem' },
  '.cm-specialChar': { color: 'light-dark(#a3261c, #ffb4ab)', fontWeight: '600' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--mantine-color-text)' },
  '.cm-collapsedLines': { background: 'var(--raised)', color: 'var(--mantine-color-dimmed)', textAlign: 'center' },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '""' },
  '.cm-diagnosticAction': { backgroundColor: '#1b5fa8', color: '#fff', padding: '2px 8px' },
})

/** The colours have enough contrast in both themes (WCAG 2.2, 1.4.3). */
const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'light-dark(#1a5a9e, #8ab8ea)' },
  { tag: [tags.string, tags.content], color: 'light-dark(#1d6f42, #8fcfa5)' },
  { tag: [tags.number, tags.bool, tags.keyword, tags.null], color: 'light-dark(#8a4700, #e5b06f)' },
  { tag: tags.comment, color: 'light-dark(#5c6672, #9aa5b3)' },
  { tag: [tags.separator, tags.punctuation, tags.meta], color: 'light-dark(#5c6672, #9aa5b3)' },
])

/** A character that changes the writing direction could make a playbook look harmless. So it is shown by its name. */
const visible = highlightSpecialChars({
  specialChars: unseen,
  render(code, description) {
    const name = document.createElement('span')
    name.className = 'cm-specialChar'
    name.title = description ?? ''
    name.textContent = nameOf(code)
    return name
  },
})

/** How all editors look. */
export const look: readonly Extension[] = [EditorView.cspNonce.of(nonce), theme, syntaxHighlighting(colours), visible]
