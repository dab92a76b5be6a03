import { distance } from '../../lib/robotics/pose'
import type { Environment } from '../module'
import { InvalidArgument } from '../services/invalid-argument'
import type { Detection } from './detections'
import { depthNodeOf } from './images'
import { shownLoadCarrier } from './load-carriers'
import { matchAnswer } from './match-answer'
import { measured } from './measured'
import { objectGrasps } from './object-grasps'
import type { PosePrior } from './pose-priors'
import type { preferences } from './preferences'
import { search } from './search'
import { ServiceFailure } from './service-failure'
import { preferredFromCamera, sorted } from './sorting'
import type { TemplateGrasp } from './template-grasps'
import type { TemplateRecords } from './template-records'

/** Our choice: a pose prior matches an object within this distance, metres. */
const priorReach = 0.1

interface CadDatabase {
  grasps: TemplateRecords<TemplateGrasp>
  priors: TemplateRecords<PosePrior>
  wishes: ReturnType<typeof preferences>
}

/** Detects the objects of a template by their shape, with their grasps. */
export function cadObjects(environment: Environment, { grasps, priors, wishes }: CadDatabase) {
  const { random, parameter } = environment

  return (given: Detection) => {
    const { args, parameters: own, frames, remark, took } = given
    const template = grasps.assertTemplate(args.template_id as string | undefined, 'template_id')
    const starts = priorsOf((args.pose_prior_ids ?? []) as string[], priors.get([], [template]))
    const depth = depthNodeOf(environment)
    if (depth === 'stereomatching' && parameter(depth, 'quality') === 'Low')
      throw new ServiceFailure(-8, 'the quality of the depth images is Low: at least Medium is required')
    const found = search(environment, given)
    const { loadCarrier, scene } = found
    const load_carriers = loadCarrier ? [shownLoadCarrier(loadCarrier, frames)] : []
    if (found.nothing) return { load_carriers }

    const near = starts.map(({ pose, pose_frame }) => frames.inCamera(pose, pose_frame).position)
    took('object_detection_time')
    const matching = found.items
      .filter(({ curved, score }) => curved && score >= Number(own.min_score))
      .map(({ pose, score }) => ({ pose: measured(pose, random, scene.settings.noise), score }))
      .filter(
        ({ pose }) => near.length === 0 || near.some((each) => distance(each, pose.position) <= priorReach),
      )
    const preferred = preferredFromCamera(wishes.preferred(), frames)
    const order = {
      strategies: wishes.strategies(),
      byDefault: 'match_score' as const,
      preferred,
      frames,
      scene,
    }
    const matches = sorted(matching, order).slice(0, Number(own.max_matches))
    if (matches.length === 0)
      if (found.items.some(({ curved }) => curved) || !scene.items.some(({ curved }) => curved))
        remark(101, `no object '${template}' was found`)
      else remark(152, 'there are objects outside of the region, the load carrier or the image')
    const possible = objectGrasps(environment, given, found, matches, grasps.get([], [template]), preferred)
    if (possible.trimmed) remark(106, 'only the best 100 grasps are returned')
    const shown = matchAnswer(given, random, matches, possible.grasps, 'match_uuid')
    return {
      load_carriers,
      grasps: shown.grasps,
      matches: shown.matches.map((each) => ({
        ...each.shown,
        score: each.match.score,
        template_id: template,
      })),
    }
  }
}

/** @throws InvalidArgument for an id that is not a prior of the template */
const priorsOf = (ids: readonly string[], known: readonly PosePrior[]): PosePrior[] =>
  ids.map((id, index) => {
    const prior = known.find((each) => each.id === id)
    if (prior) return prior
    throw new InvalidArgument(`pose_prior_ids[${index}]: the template has no pose prior '${id}'`)
  })
