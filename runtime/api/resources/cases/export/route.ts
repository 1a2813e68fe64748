import { Type } from '../../../../schema/index.ts'
import { tellAct } from '../../../act.ts'
import { sendJson } from '../../../answer/index.ts'
import { callerOf } from '../../../auth/index.ts'
import type { Api, ApiContext } from '../../../context.ts'
import { operation } from '../../../operation.ts'
import { oneOf } from '../../../schemas.ts'
import type { CaseViews } from '../details.ts'
import { caseOf, id } from '../found.ts'
import { markdownOf } from './markdown.ts'
import { reportOf } from './report.ts'

/** Adds `GET /platformapi/cases/{id}/export`, which makes a report of a case. */
export function caseExportRoute(app: Api, context: ApiContext, views: CaseViews): void {
  const { store, turns, clock, pdfs } = context.services
  app.get(
    '/platformapi/cases/:id/export',
    operation(
      context,
      {
        id: 'exportCase',
        tag: 'cases',
        summary: 'Download a case as a report',
        description:
          'markdown, pdf: a report for people; foreign text is shown as it is. json: the case as getCase answers it. A report has the latest entries of the timeline, and long texts are cut. A PDF ends after 60 pages.',
        permission: 'cases:read',
        errors: ['case_unknown', 'pdf_not_drawn', 'overloaded'],
        answers: ['text/markdown', 'application/pdf', 'application/json'],
      },
      {
        params: id,
        querystring: Type.Object({ format: { ...oneOf(['markdown', 'pdf', 'json']), default: 'markdown' } }),
        response: { 200: Type.Ref('CaseDetails#') },
      },
    ),
    async (request, reply) => {
      const { scope, principal } = callerOf(request)
      const found = await caseOf(store, scope, request.params.id)
      const { format } = request.query
      const details = await views.details(scope, found)
      const blocks = format === 'json' ? [] : reportOf(details, clock.now(), principal.name)
      const pdf = format === 'pdf' ? await pdfs.draw(found.organization, { name: found.caseId, blocks }) : null
      tellAct(context, request, 'a case was exported', { case: found.caseId, format })
      const file = `${found.caseId}.${format === 'markdown' ? 'md' : format}`
      // A code of an organization, and so a case id, has only letters, digits, dots, dashes and underscores.
      reply.header('content-disposition', `attachment; filename="${file}"`)
      if (format === 'json') return sendJson(reply, details, turns, found.organization)
      if (pdf !== null) return reply.type('application/pdf').send(pdf)
      const parts: string[] = []
      for (const block of blocks) {
        parts.push(markdownOf(block))
        const turn = turns.next(found.organization)
        if (turn) await turn
      }
      return reply.type('text/markdown; charset=utf-8').send(parts.join(''))
    },
  )
}
