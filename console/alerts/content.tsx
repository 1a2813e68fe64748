import { Group, SegmentedControl, Text } from '@mantine/core'
import { type JSX, useMemo, useState } from 'react'
import { JsonView, type Props } from 'react-json-view-lite'
import { Copy } from '../shared/copy.tsx'
import { ForeignBlock } from '../shared/foreign.tsx'
import { treeOf } from './tree.ts'

/** Our own class names. The texts of the buttons are for screen readers. */
const style: NonNullable<Props['style']> = {
  container: 'json',
  basicChildStyle: 'json-child',
  childFieldsContainer: 'json-children',
  label: 'json-key',
  clickableLabel: 'json-key clickable',
  nullValue: 'json-other',
  undefinedValue: 'json-other',
  numberValue: 'json-number',
  stringValue: 'json-string',
  booleanValue: 'json-other',
  otherValue: 'json-other',
  punctuation: 'json-mark',
  expandIcon: 'json-expand',
  collapseIcon: 'json-collapse',
  collapsedContent: 'json-collapsed',
  ariaLables: { collapseJson: 'Fold', expandJson: 'Unfold' },
  noQuotesForStringValues: false,
  stringifyStringValues: false,
}
/** Objects below this level begin folded. */
const openLevels = 2

/** The content of an alert: JSON as a tree that folds, or the text as it is. Nothing in it is executed. */
export function Content({ content }: { readonly content: string }): JSX.Element {
  const tree = useMemo(() => treeOf(content), [content])
  const [raw, setRaw] = useState(false)
  if (content === '') return <Text c="dimmed">The alert has no content.</Text>
  return (
    <>
      <Group justify="space-between" mb={6}>
        {tree === null ? (
          <Text size="xs" c="dimmed">
            Text, {content.length.toLocaleString('en')} characters
          </Text>
        ) : (
          <SegmentedControl
            size="xs"
            aria-label="How the content is shown"
            data={[
              { value: 'tree', label: 'Tree' },
              { value: 'raw', label: 'Raw' },
            ]}
            value={raw ? 'raw' : 'tree'}
            onChange={(value) => setRaw(value === 'raw')}
          />
        )}
        <Copy value={content} what="the content" />
      </Group>
      {tree === null || raw ? (
        <ForeignBlock key={content} value={content} label="Content of the alert" />
      ) : (
        <div className="block json-block" dir="ltr">
          <JsonView
            data={tree}
            style={style}
            shouldExpandNode={(level, value) => level < openLevels && Object.keys(value ?? {}).length <= 50}
            clickToExpandNode
            aria-label="Content of the alert"
          />
        </div>
      )}
    </>
  )
}
