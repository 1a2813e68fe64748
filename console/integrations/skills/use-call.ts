import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import type { SkillPreviewView, SkillResultView, SkillView } from '../../../runtime/api/index.ts'
import { previewSkill, runSkill } from '../../api/integrations.ts'

/**
 * One call at a time: shows it first, then sends it once. A call is sent only from the preview that the person saw, and never again
 * by itself: not by a second click, not after an error, and not by a reload.
 */
export function useCall(skill: SkillView, connection: string | null) {
  const sent = useRef<SkillPreviewView | null>(null)
  const run = useMutation<SkillResultView, Error, SkillPreviewView>({
    mutationFn: ({ input, revision }) => runSkill(connection ?? '', skill.id, input as object, revision),
    retry: false,
  })
  const preview = useMutation<SkillPreviewView, Error, object>({
    mutationFn: (input) => previewSkill(connection ?? '', skill.id, input),
    onSuccess: (shown) => {
      if (!skill.writes && shown.faults.length === 0 && shown.refused === null) send(shown)
    },
  })
  const send = (shown: SkillPreviewView): void => {
    if (sent.current === shown) return
    sent.current = shown
    run.mutate(shown)
  }
  const show = (input: object): void => {
    if (preview.isPending || run.isPending) return
    run.reset()
    preview.mutate(input)
  }
  const forget = (): void => {
    preview.reset()
    run.reset()
  }
  return { preview, run, send, show, forget }
}
