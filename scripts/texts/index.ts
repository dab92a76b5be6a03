// `npm run lint:texts`, part of `npm test`: texts are complete, consistent in all languages, and refer to existing things. All
// rules are run; each problem is one line.
import { rulesOfDialogs } from './dialogs'
import { rulesOfDocuments } from './documents'
import { rulesOfExamples } from './examples'
import { rulesOfSentences } from './sentences'

/** By name; a rule throws what is wrong. */
export type Rules = Readonly<Record<string, () => void>>

const all: Rules = { ...rulesOfDialogs, ...rulesOfDocuments, ...rulesOfExamples, ...rulesOfSentences }

if (require.main === module) {
  for (const [name, rule] of Object.entries(all))
    try {
      rule()
    } catch (error) {
      process.exitCode = 1
      process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n\n`)
    }
}
