import { Button, Group, Modal, Progress, Text } from '@mantine/core'
import { type JSX, useEffect, useRef, useState } from 'react'
import { save } from '../api/save.ts'
import { IconDownload } from '../shared/icons.ts'
import { done, failed } from '../shared/toasts.tsx'
import type { AlertColumn } from './columns.tsx'
import { makeCsv, mostRows } from './csv.ts'

interface ExportProps {
  readonly filters: URLSearchParams
  readonly sort: string
  readonly columns: readonly AlertColumn[]
  /** How many rows there will be, if that is known. */
  readonly expected: number | null
}

/** Saves all alerts of the filters, with the columns that are shown, as a CSV file. */
export function ExportButton({ filters, sort, columns, expected }: ExportProps): JSX.Element {
  const [rows, setRows] = useState<number | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const collect = async (): Promise<void> => {
    const stop = new AbortController()
    running.current = stop
    setRows(0)
    try {
      const made = await makeCsv(filters, sort, columns, setRows, stop.signal)
      save(`alerts-${new Date().toISOString().slice(0, 16).replace(/[:T]/g, '-')}.csv`, made.file)
      const all = made.more ? ` There are more: a file has at most ${mostRows.toLocaleString('en')}.` : ''
      done({ text: `${made.rows.toLocaleString('en')} alerts are saved.${all}` })
    } catch (error) {
      if (!stop.signal.aborted) failed('The file was not saved', error)
    } finally {
      setRows(null)
    }
  }
  const most = Math.min(expected ?? mostRows, mostRows)
  return (
    <>
      <Button variant="default" leftSection={<IconDownload size={16} stroke={1.6} />} onClick={() => void collect()}>
        CSV
      </Button>
      <Modal opened={rows !== null} onClose={() => running.current?.abort()} title="Saving alerts">
        <Progress value={most === 0 ? 0 : ((rows ?? 0) / most) * 100} aria-label="Progress" />
        <Group justify="space-between" mt="md">
          <Text size="sm" role="status">
            {(rows ?? 0).toLocaleString('en')} of {most.toLocaleString('en')}
          </Text>
          <Button variant="default" onClick={() => running.current?.abort()}>
            Cancel
          </Button>
        </Group>
      </Modal>
    </>
  )
}
