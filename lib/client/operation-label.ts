import { createRequire } from 'node:module'
import type { OperationId } from '../contract'
import type * as Summaries from '../contract/summary'

const load = createRequire(__filename)

/** What an operation does, in words for a sentence. Loads the operations at its first use: that takes long. */
export const operationLabel = (id: OperationId, language?: string): string =>
  (load('../contract/summary') as typeof Summaries).shortSummaryOf(id, language)
