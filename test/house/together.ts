/**
 * Tests that leave nothing behind in their process: no global that they changed, no thread, no child process. `npm test` runs many of them in
 * one process, because a process of its own costs a file two seconds of CPU time, mostly for imports. A helper that they import must not
 * register `beforeAll` and the like when it is imported: only the first file would get them.
 */
export const together: readonly string[] = [
  'console/**/*.test.ts',
  'plugins/**/*.test.ts',
  'runtime/{api,app,caches,cli,config,connection,domain,engine,errors,evidence,expressions,fairness,fetches,formats,ingest,json}/**/*.test.ts',
  'runtime/{egress/{causes,policy,send-unless-paused},feed/*,hints/*,pdf/lines}.test.ts',
  'runtime/{notify,playbook,policy,rate-limit,rehearsal,retrace,schema,telemetry,yaml}/**/*.test.ts',
  'runtime/plugin/{answer,call,credentials,library,manifest,pages,request,schema,typed}/**/*.test.ts',
  'runtime/storage/words/**/*.test.ts',
  'runtime/{egress/pieces,metrics/metrics,queue/{admission,bullmq/*},redis/*,relay/{link/*,neighbours/*,agent/connections-log}}.test.ts',
  'runtime/storage/embedded/{alerts/sealing,cases/words/sealing,decisions/*,guards/*,runs/early-claim}.test.ts',
  'runtime/storage/embedded/{database/{few,merged,page-cache},threads/{call-queue,perform,short-replies,statement-journal}}.test.ts',
  'test/e2e/api/*.test.ts',
  'test/e2e/**/api-*.test.ts',
  'test/e2e/{alerts/road,decisions/policy}.test.ts',
  'test/e2e/{playbooks/impact,playbooks/schema,runs/long-retry,runs/retry,runs/{evidence,undo},scenarios/*}.test.ts',
  'test/engine/**/*.test.ts',
  'test/house/docs/*.test.ts',
  'test/notify/*.test.ts',
  'test/plugins/*.test.ts',
  'test/plugins/{browser,mailsec,mfa}/**/*.test.ts',
  'test/simulators/{browser,mailsec,mfa}/**/*.test.ts',
  'test/simulators/pki.test.ts',
  'test/plugins/crm/answers.test.ts',
  'test/relay/{advice,abuse,door,extension,frames,impostor,isolation,late-bytes,names,poison,resilience,revoked,shutdown,versions}.test.ts',
  'test/relay/{agent,choice}/*.test.ts',
  'test/house/{folders,generated,imports,lock,on-services,write-skills}.test.ts',
  'test/conformance/{queue/embedded,rate-limit/local}.test.ts',
  'test/bench/floor.test.ts',
  'runtime/{console/kept,node-version,traces/outbox,egress/streamed/*}.test.ts',
  'runtime/plugin/{scaffold/*,handler/rows/large-parts,isolate/excess}.test.ts',
  'runtime/storage/embedded/access/acts.test.ts',
  'test/security/canary*.test.ts',
  'test/{docs,lint,playbook,rehearsal}/**/*.test.ts',
]
