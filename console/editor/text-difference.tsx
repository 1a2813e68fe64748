import { yaml } from '@codemirror/lang-yaml'
import { MergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { type JSX, useEffect, useRef } from 'react'
import { look } from './look.ts'

interface Side {
  readonly name: string
  readonly text: string
}

/** Two texts side by side. Equal parts are folded. */
export default function TextDifference({ from, to }: { readonly from: Side; readonly to: Side }): JSX.Element {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!place.current) return
    const side = ({ name, text }: Side) => ({
      doc: text,
      extensions: [
        ...look,
        lineNumbers(),
        yaml(),
        EditorState.readOnly.of(true),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': name, tabindex: '0' }),
      ],
    })
    const merged = new MergeView({
      parent: place.current,
      a: side(from),
      b: side(to),
      collapseUnchanged: { margin: 3, minSize: 6 },
      // A larger difference would freeze the page; then it shows larger changed parts.
      diffConfig: { scanLimit: 1_000, timeout: 500 },
    })
    return () => merged.destroy()
  }, [from, to])
  return <div ref={place} className="difference" />
}
