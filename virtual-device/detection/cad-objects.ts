import { distance, type Pose } from '../../lib/robotics/pose'
import { type Environment, type Json, returnCodeShape, type ServiceDefinition } from '../module'
import { recordStore, type RecordStore, type StoredRecord } from '../records/records'
import { complete, InvalidArgument, named, oneOf, type PartialArguments, poseShape } from '../arguments'
import { answering, depthNodeOf, ServiceFailure, uuid, type Detection } from './answering'
import { type FrameName, frameNames, measured } from './geometry'
import {
  atLeastOne,
  type ObjectGrasp,
  objectGrasps,
  type preferences,
  preferredFromCamera,
  type Sortable,
  sorted,
  type TemplateGrasp,
} from './grasps'
import { shownLoadCarrier, search } from './load-carriers'

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

/** Matches and their grasps as shown in answers, linked by uuids. */
export function matchAnswer<Match extends Sortable>(
  { frames, look }: Pick<Detection, 'frames' | 'look'>,
  random: () => number,
  matches: readonly Match[],
  grasps: readonly ObjectGrasp<Match>[],
  /** The field of a grasp that refers to its match. */
  matchUuid: 'match_uuid' | 'instance_uuid',
) {
  const placed = { pose_frame: frames.name, timestamp: look().timestamp }
  const named = matches.map((match) => ({ match, uuid: uuid(random) }))
  const shownGrasps = grasps.map(({ match, grasp, gripper_id, pose, collision_checked }) => ({
    match,
    shown: {
      ...placed,
      uuid: uuid(random),
      [matchUuid]: named.find((each) => each.match === match)?.uuid ?? '',
      id: grasp.id,
      gripper_id,
      priority: grasp.priority,
      collision_checked,
      pose: frames.answer(pose),
    },
  }))
  return {
    grasps: shownGrasps.map(({ shown }) => shown),
    matches: named.map(({ match, uuid: id }) => ({
      match,
      shown: {
        ...placed,
        uuid: id,
        pose: frames.answer(match.pose),
        grasp_uuids: shownGrasps.filter((each) => each.match === match).map(({ shown }) => shown.uuid),
      },
    })),
  }
}

/** The expected pose of an object of a template. */
export type PosePrior = { id: string; template_id: string; pose: Pose; pose_frame: FrameName }

const priorShape = { id: 'string', template_id: 'string', pose: poseShape, pose_frame: 'string' } as const

/** The services that store the pose priors of templates. */
export function posePriorServices(priors: TemplateRecords<PosePrior>): Record<string, ServiceDefinition> {
  return {
    set_pose_prior: answering({
      description: 'Stores one pose prior of a template.',
      args: { pose_prior: priorShape },
      required: ['pose_prior'],
      response: returnCodeShape,
      answer: ({ args }) =>
        priors.set(() => posePrior(args.pose_prior as PartialArguments<PosePrior>, 'pose_prior')),
    }),
    set_all_pose_priors: answering({
      description: 'Replaces all pose priors of a template.',
      args: { pose_priors: [priorShape], template_id: 'string' },
      required: ['pose_priors', 'template_id'],
      response: returnCodeShape,
      answer: ({ args }) => {
        const template = priors.assertTemplate(args.template_id as string, 'template_id')
        const given = args.pose_priors as PartialArguments<PosePrior>[]
        priors.setAll(
          template,
          given.map((prior, index) =>
            posePrior({ ...prior, template_id: template }, `pose_priors[${index}]`),
          ),
        )
        return undefined
      },
    }),
    get_pose_priors: answering({
      description: 'Returns pose priors by their ids and templates; all where none are named.',
      args: { pose_prior_ids: ['string'], template_ids: ['string'] },
      response: { pose_priors: [priorShape], ...returnCodeShape },
      answer: ({ args }) => ({
        pose_priors: priors.get(
          args.pose_prior_ids as string[] | undefined,
          args.template_ids as string[] | undefined,
        ),
      }),
    }),
    delete_pose_priors: answering({
      description: 'Deletes pose priors of the templates that are named; all of them where none is named.',
      args: { pose_prior_ids: ['string'], template_ids: ['string'] },
      response: returnCodeShape,
      answer: ({ args }) => {
        priors.delete(args.pose_prior_ids as string[] | undefined, atLeastOne(args.template_ids))
        return undefined
      },
    }),
  }
}

const posePrior = (given: PartialArguments<PosePrior>, field: string): PosePrior => ({
  id: named(given.id, `${field}.id`),
  template_id: named(given.template_id, `${field}.template_id`),
  pose: complete(given.pose, `${field}.pose`),
  pose_frame: oneOf(given.pose_frame, frameNames, `${field}.pose_frame`),
})

/** A record stored with a template. */
type TemplateRecord = StoredRecord & { template_id: string }

export type TemplateRecords<Stored extends TemplateRecord> = ReturnType<typeof templateRecords<Stored>>

/** Records of one kind that belong to templates: they are deleted with their template. */
export function templateRecords<Stored extends TemplateRecord>({
  kind,
  capacity,
  templates,
  changed,
}: {
  /** Name of a record in messages. */
  kind: string
  /** Most records of each template. */
  capacity: number
  /** Ids of the existing templates. */
  templates: () => readonly string[]
  changed: () => void
}) {
  const stores = new Map<string, RecordStore<Stored>>()
  const newStore = () => recordStore<Stored>({ kind, capacity, changed })

  const forgetOthers = () => {
    for (const template of stores.keys()) if (!templates().includes(template)) stores.delete(template)
  }
  /** @throws InvalidArgument if there is no such template */
  const assertTemplate = (id: string | undefined, field: string): string => {
    forgetOthers()
    if (id !== undefined && templates().includes(id)) return id
    throw new InvalidArgument(`${field}: there is no template '${id ?? ''}'`)
  }
  const storeOf = (template: string) => {
    const store = stores.get(template) ?? newStore()
    stores.set(template, store)
    return store
  }
  const all = (): Stored[] => {
    forgetOthers()
    return [...stores.values()].flatMap((store) => store.get())
  }

  return {
    assertTemplate,
    set: (make: () => Stored) => {
      const record = make()
      assertTemplate(record.template_id, 'template_id')
      return storeOf(record.template_id).set(() => record).answer
    },
    /** Replaces all records of a template; changes nothing if there are too many. */
    setAll: (template: string, records: readonly Stored[]) => {
      if (records.length > capacity)
        throw new ServiceFailure(-10, `not stored: a template can have at most ${capacity} ${kind} records`)
      const ids = records.map(({ id }) => id)
      const twice = ids.find((id, index) => ids.indexOf(id) < index)
      if (twice !== undefined) throw new InvalidArgument(`the id '${twice}' is used twice`)
      stores.set(template, newStore())
      for (const record of records) storeOf(template).set(() => record)
      changed()
    },
    /** Empty lists mean all. */
    get: (ids: readonly string[] = [], templateIds: readonly string[] = []): Stored[] =>
      all().filter(
        ({ id, template_id }) =>
          (ids.length === 0 || ids.includes(id)) &&
          (templateIds.length === 0 || templateIds.includes(template_id)),
      ),
    /** Without ids, all records of these templates. */
    delete: (ids: readonly string[] = [], templateIds: readonly string[]) => {
      for (const template of templateIds) {
        const store = stores.get(template)
        store?.delete(ids.length === 0 ? store.get().map(({ id }) => id) : ids)
      }
    },
    /** Deletes what is stored with a template. */
    forget: (template: string): void => {
      stores.delete(template)
    },
    /** All of them, because a missing template may be uploaded again before anybody reads them. */
    save: (): Json => [...stores.values()].flatMap((store) => store.get()),
    /** Missing values stay as they are. */
    restore: (saved: Json | undefined): void => {
      if (saved === undefined) return
      stores.clear()
      const records = saved as Stored[]
      for (const template of new Set(records.map(({ template_id }) => template_id)))
        storeOf(template).restore(records.filter(({ template_id }) => template_id === template))
    },
  }
}
