import { ActionIcon, Group, Menu, Paper, Text } from '@mantine/core'
import type { JSX } from 'react'
import type { CaseView } from '../../../runtime/api/index.ts'
import { caseWords, SeverityBadge } from '../../shared/badges.tsx'
import { Foreign } from '../../shared/foreign.tsx'
import { IconDots } from '../../shared/icons.ts'
import { CaseLink } from '../../shared/links.tsx'
import { MergedNote } from '../../shared/merged-note.tsx'
import { useMay } from '../../shell/who.ts'
import { Attention } from '../attention.tsx'
import { NextClock } from '../clock.tsx'
import { statuses } from '../words.ts'
import { useDraggable } from './dragging.ts'

interface CardProps {
  readonly found: CaseView
  /** Moves the case to another column. */
  readonly onMove: (found: CaseView, status: CaseView['status']) => void
}

/** One case on the board. People drag it to another column, or use its menu. */
export function BoardCard({ found, onMove }: CardProps): JSX.Element {
  const may = useMay()
  const movable = may('cases:write') && found.merged_into === null
  const { ref, dragged } = useDraggable(movable ? found : null)
  return (
    <Paper
      ref={ref}
      withBorder
      p="xs"
      className="board-card"
      component="article"
      aria-label={found.case_id}
      data-movable={movable || undefined}
      data-dragged={dragged || undefined}
    >
      <Group justify="space-between" gap={4} wrap="nowrap">
        <CaseLink id={found.case_id} />
        {movable && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Move ${found.case_id}`}>
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Label>Move to</Menu.Label>
              {statuses
                .filter((status) => status !== found.status)
                .map((status) => (
                  <Menu.Item key={status} onClick={() => onMove(found, status)}>
                    {caseWords.status(status)}
                  </Menu.Item>
                ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      <Text size="sm" lineClamp={2} my={4}>
        <Foreign value={found.title} />
      </Text>
      <Group gap={6}>
        <SeverityBadge severity={found.severity} />
        <MergedNote into={found.merged_into} />
        <Attention found={found} />
        {found.assignee !== null && (
          <Text size="xs" c="dimmed" component="span" lineClamp={1}>
            <Foreign value={found.assignee} />
          </Text>
        )}
        <NextClock found={found} />
      </Group>
    </Paper>
  )
}
