import type { Systems } from '../systems.ts'
import type { Trouble } from './schedule.ts'

/** The part of an investigation that is disturbed: its beginning, or the part after the answer of people. */
type Part = 'beginning' | 'answered'

/** Makes something go wrong in an external system. Returns a function that ends it. */
export function makeTrouble({ harbor: { mailsec, mfa } }: Systems, trouble: Trouble | undefined, part: Part): () => void {
  const calm = (): void => {
    mailsec.simulator.faults.clear()
    mfa.simulator.faults.clear()
  }
  if (trouble === 'mail_down_once' && part === 'beginning') mailsec.simulator.fail({ failure: 'server_error', times: 50 })
  if (trouble === 'suspend_cut' && part === 'answered') {
    mfa.simulator.fail({ failure: 'cut_after_effect', path: '/pingid/rest/4/suspenduser/do' })
    mfa.simulator.fail({ failure: 'server_error', path: '/pingid/rest/4/getuserdetails/do', times: 50 })
  }
  return calm
}
