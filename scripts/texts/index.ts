// Lint of the texts: `npm run lint:texts`, and a part of `npm test`. What people read is complete, of one form, in all languages,
// and refers to what exists. Each rule throws; all of them are run, and each problem is one line.
import { rulesOfDialogs } from './dialogs'
import { rulesOfDocuments } from './documents'
import { rulesOfExamples } from './examples'
import { rulesOfSentences } from './sentences'

/** What must hold, by its name. A rule throws what does not. */
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
