import { errorsOf } from '../../lib/client/vision-error'
import { sentencesIn } from '../../lib/sentences/sentences-in'
import type { SayLeftOut } from '../../lib/fleet/centre'
import { loadFleetCentre } from '../shared/load-later'
import { spoken } from '../shared/node-error'
import { nodeSentences } from '../shared/sentences'
import type de from './locales/de/sentences.json'
import type en from './locales/en-US/sentences.json'

export const { invalidInput, nodeError, say, told } = nodeSentences(
  sentencesIn<typeof en, typeof de>(__dirname),
)

/** Says a sentence of the centre in the language of this Node-RED. */
export const centreSays = (...[key, values]: Parameters<SayLeftOut>): string =>
  loadFleetCentre().centreSentences.say(key, values, spoken())

/** An error of the centre as the nodes report all errors; any other error as it is. */
export function inNodeWords(error: unknown): unknown {
  const { CentreError, centreSentences } = loadFleetCentre()
  if (!(error instanceof CentreError)) return error
  const { code, key, values } = error
  const language = spoken()
  return errorsOf(centreSentences)({ code, key, values }, language === undefined ? {} : { language })
}
