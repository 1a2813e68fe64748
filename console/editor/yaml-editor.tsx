import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language'
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { type JSX, useEffect, useRef } from 'react'
import type { FindingView } from '../../runtime/api/index.ts'
import { completionOf, type YamlLanguage } from './completion.ts'
import { look } from './look.ts'

/** A line to show, from 1. Another object shows it again, also if somebody has scrolled away. */
export interface ShownLine {
  readonly at: number
}

/** A mistake at a place of the text. Playbooks have codes and perhaps fixes. */
export type Mistake = Pick<FindingView, 'line' | 'column' | 'severity' | 'message'> & Partial<Pick<FindingView, 'code' | 'fix'>>

export interface YamlEditorProps {
  /** Its name for screen readers. */
  readonly label: string
  readonly value: string
  readonly onChange?: (value: string) => void
  /** The mistakes of a text. They are shown while the editor still has this text. */
  readonly linted?: { readonly text: string; readonly findings: readonly Mistake[] }
  /** What it completes. Absent: nothing. */
  readonly language?: YamlLanguage
  readonly line?: ShownLine | null
}

/** An editor for YAML. Tab leaves it, as everywhere; Ctrl+] indents. */
export default function YamlEditor({ label, value, onChange, linted, language, line = null }: YamlEditorProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const latest = useRef({ onChange, language })
  latest.current = { onChange, language }
  const first = useRef(value)
  const readOnly = onChange === undefined

  useEffect(() => {
    if (!place.current) return
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          ...look,
          lineNumbers(),
          foldGutter(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          yaml(),
          lintGutter(),
          autocompletion({ override: [(context) => completionOf(context, latest.current.language)] }),
          EditorState.tabSize.of(2),
          EditorState.readOnly.of(readOnly),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
          keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange?.(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    return () => {
      first.current = editor.state.doc.toString()
      editor.destroy()
    }
  }, [label, readOnly])

  useEffect(() => {
    const editor = view.current
    if (editor && value !== editor.state.doc.toString()) editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])

  useEffect(() => {
    const editor = view.current
    if (!editor || linted === undefined || linted.text !== editor.state.doc.toString()) return
    editor.dispatch(
      setDiagnostics(
        editor.state,
        linted.findings.map((finding) => diagnosticOf(editor.state, finding)),
      ),
    )
  }, [linted])

  useEffect(() => {
    const editor = view.current
    if (!editor || line === null || line.at > editor.state.doc.lines) return
    const { from } = editor.state.doc.line(line.at)
    editor.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) })
    editor.focus()
  }, [line])

  return <div ref={place} className="editor" />
}

/** How much of a line is underlined. */
const longestMark = 200

function diagnosticOf({ doc }: EditorState, { line, column, severity, message, code, fix }: Mistake): Diagnostic {
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines))
  const from = Math.min(found.from + Math.max(column - 1, 0), found.to)
  // Underlines the word that the finding is about.
  const word = /^[^\s,}\]]+/.exec(doc.sliceString(from, Math.min(found.to, from + longestMark)))?.[0] ?? ''
  return {
    from,
    to: Math.max(from, Math.min(from + word.length, found.to)),
    severity,
    message: code === undefined ? message : `${message} [${code}]`,
    ...(fix && {
      actions: [
        {
          name: fix.title,
          apply: (editor) => editor.dispatch({ changes: fix.edits.map(({ start, end, text }) => ({ from: start, to: end, insert: text })) }),
        },
      ],
    }),
  }
}
