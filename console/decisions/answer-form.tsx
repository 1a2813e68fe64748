import { type FormEvent, type JSX, useState } from 'react'
import type { DecisionView } from '../../runtime/api/index.ts'
import { answerIn, NotJson } from './answer.ts'
import type { Answering } from './use-answer.ts'
import { type Verdict, verdictWords } from './words.ts'

/** The form for one answer. No verdict is preselected, and the button says what it will do. */
export function AnswerForm({ decision, answering }: { readonly decision: DecisionView; readonly answering: Answering }): JSX.Element {
  const [verdict, setVerdict] = useState<Verdict | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    try {
      const answer = answerIn(form)
      setFault(null)
      if (answer && !answering.isPending) answering.send({ answer, likewise: form.has('likewise') })
    } catch (error) {
      if (!(error instanceof NotJson)) throw error
      setFault(error.message)
    }
  }
  const others = (decision.quota?.waiting ?? 0) - 1
  return (
    <form className="answer" onSubmit={submit}>
      <fieldset disabled={answering.isPending}>
        <legend>Your answer</legend>
        {decision.verdicts.map((one) => (
          <label key={one} className="verdict">
            <input type="radio" name="verdict" value={one} required onChange={() => setVerdict(one)} />
            <span>
              <strong>{verdictWords[one].name}</strong>
              <br />
              {verdictWords[one].means}
            </span>
          </label>
        ))}
        {verdict === 'happened' && (
          <>
            <label htmlFor="output">The answer of the system, as JSON, if later steps need it</label>
            <textarea id="output" name="output" rows={4} placeholder="{}" spellCheck={false} aria-describedby="output-fault" />
          </>
        )}
        <label htmlFor="reason">Reason (shown in the case)</label>
        <textarea id="reason" name="reason" rows={2} maxLength={2000} />
        {others > 0 && (
          <label>
            <input type="checkbox" name="likewise" /> give the same answer to the {others} other {others === 1 ? 'decision' : 'decisions'} for this
            quota
          </label>
        )}
        <p id="output-fault">{fault !== null && <span className="problem">{fault}</span>}</p>
        <button type="submit" disabled={verdict === null} className={verdict !== null && verdictWords[verdict].risky ? 'risky' : ''}>
          {verdict === null ? 'Choose an answer' : verdictWords[verdict].name}
        </button>
      </fieldset>
    </form>
  )
}
