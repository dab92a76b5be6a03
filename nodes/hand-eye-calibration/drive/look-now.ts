import { NodeAnswer, type Outcome } from '../../shared/outcome'
import type { Inbound } from '../steps'
import { outputs, toldOf } from '../report'
import type { DriveParts } from './parts'
import { isTag } from './settings'
import { sightingsOf } from './sightings'
import { sentencesOf } from '../../sentences'

const { invalidInput } = sentencesOf('hand-eye-calibration')
const { say } = sentencesOf('hand-eye-calibration/drive')

/** Says what the camera sees now. Nothing moves, and nothing is recorded. @throws INVALID_INPUT without sightings */
export async function lookNow({ progress }: Pick<Inbound, 'progress'>, parts: DriveParts): Promise<Outcome> {
  const { driving, settings, closing } = parts
  if (driving.isBusy) throw invalidInput('drive-under-way')
  if (settings.sightings === 'answers') throw invalidInput('drive-look-by-answers')
  progress('looking')
  const sightings = sightingsOf(parts)
  const isSeen = (await sightings.look(closing)) !== undefined
  const thing = isTag(settings.sightings) ? 'tag' : 'grid'
  const inWords = () => ({
    ...{ event: 'seen-now', ok: isSeen, seenHere: isSeen },
    text: say(isSeen ? `line-drive-sees-${thing}` : `line-drive-sees-no-${thing}`),
    details:
      sightings.problem() ??
      say(isSeen ? `drive-sees-${thing}` : `drive-sees-no-${thing}`, { tag: settings.tag }),
  })
  driving.display.glances(inWords)
  const payload = inWords()
  return new NodeAnswer({ payload }, toldOf(payload), outputs.progress)
}
