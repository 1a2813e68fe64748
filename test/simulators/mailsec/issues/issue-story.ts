/** The fields in which the issues of the story differ. The others have defaults. */
export interface IssueStory {
  readonly name: string
  readonly severity: string
  readonly detection: string
  readonly classification: string | null
  readonly remediationActions: readonly string[]
  readonly messages: readonly MessageStory[]
}

export interface MessageStory {
  readonly subject: string
  readonly sender: string
  readonly recipient: string
  /** Whether SPF, DKIM and DMARC passed. */
  readonly authentic: boolean
  readonly link: { readonly url: string; readonly verdict: string }
}
