import { TocsinError } from '../../../errors/index.ts'
import { type Verified, verifyEvidence } from '../../../evidence/index.ts'
import { type Answer, findTarget, request } from '../../client.ts'
import { readInput, refuseExisting, writeOutput } from '../../files.ts'
import { bold, json as jsonText, listOf, plain, time } from '../../print.ts'
import type { Shared } from '../../remote-command.ts'
import { evidenceText } from '../../views/index.ts'

interface MakeOptions extends Shared {
  readonly output?: string
  readonly force?: boolean
}

/** Makes signed evidence of a run, and writes it to a file or to standard output. */
export async function makeEvidence(run: string, { output, force, ...options }: MakeOptions): Promise<void> {
  refuseExisting(output, force)
  const made = await request(findTarget(options), 'GET', `/platformapi/runs/${encodeURIComponent(run)}/evidence`)
  const text = `${JSON.stringify(made)}\n`
  if (output === undefined) return void process.stdout.write(text)
  writeOutput(output, text)
  console.log(`${bold(output)}: evidence of ${run}, signed with the key ${verifyEvidence(made).keyId}. To check it: tocsin run verify ${output}`)
}

interface VerifyOptions extends Shared {
  readonly signer?: string
}

/** Checks the signature of evidence and who signed it, and shows what it says. */
export async function checkEvidence(file: string, { signer, ...options }: VerifyOptions): Promise<void> {
  const verified = verifyEvidence(parse(file))
  const since = signer === undefined ? await sinceOf(verified, options) : null
  if (signer !== undefined && signer !== verified.keyId) throw otherKey(verified, `the expected key is ${signer}`)
  if (options.json) return console.log(jsonText({ key: verified.keyId, evidence: verified.document }))
  const whose = since === null ? 'the key that you gave' : `a key of this installation since ${time(since)}`
  console.log(`${bold('valid')}: unchanged since it was signed with ${verified.keyId}, ${whose}\n`)
  console.log(evidenceText(verified.document as Answer))
}

/** Returns since when the installation has the key. */
async function sinceOf(verified: Verified, options: Shared): Promise<unknown> {
  const { keys } = await request(findTarget(options), 'GET', '/platformapi/evidence-keys')
  const found = listOf(keys).find(({ kid }) => kid === verified.keyId)
  if (!found) throw otherKey(verified, 'this installation never had it')
  return found['since']
}

function otherKey({ keyId }: Verified, why: string): TocsinError {
  return new TocsinError('evidence_invalid', `It was signed with the key ${plain(keyId)}; ${why}.`)
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readInput(file))
  } catch (error) {
    if (error instanceof SyntaxError) throw new TocsinError('evidence_invalid', `${file} is no JSON.`)
    throw error
  }
}
