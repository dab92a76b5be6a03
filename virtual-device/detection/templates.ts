/** What is stored with the templates of objects: grasps, and other records that are deleted with their template. */
import type { Shape } from '../../lib/contract'
import { composed, identity, inverted, type Pose, ofRotationVector, radians } from '../../lib/robotics/pose'
import { complete, InvalidArgument, named, type PartialArguments, poseShape, within } from '../arguments'
import { type Json, returnCodeShape, type ServiceDefinition } from '../module'
import { recordStore, type RecordStore, type StoredRecord } from '../records/records'
import { answering, ServiceFailure } from './answering'

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

/** The services that store, list and delete the records of one kind. */
export function templateServices<Stored extends TemplateRecord>(
  records: TemplateRecords<Stored>,
  {
    one,
    kind = one.replace('_', ' '),
    shape,
    read,
  }: {
    /** Name of a record in arguments; that of several has an s. */
    one: string
    kind?: string
    shape: Shape
    /** Validates and completes a record. @throws InvalidArgument */
    read: (given: PartialArguments<Stored>, field: string) => Stored
  },
): Record<string, ServiceDefinition> {
  const named = { [`${one}_ids`]: ['string'], template_ids: ['string'] } as const
  const idsOf = (args: Record<string, unknown>, name = 'template') =>
    args[`${name}_ids`] as string[] | undefined
  return {
    [`set_${one}`]: answering({
      description: `Stores one ${kind} of a template.`,
      args: { [one]: shape },
      required: [one],
      response: returnCodeShape,
      answer: ({ args }) => records.set(() => read(args[one] as PartialArguments<Stored>, one)),
    }),
    [`set_all_${one}s`]: answering({
      description: `Replaces all ${kind}s of a template.`,
      args: { [`${one}s`]: [shape], template_id: 'string' },
      required: [`${one}s`, 'template_id'],
      response: returnCodeShape,
      answer: ({ args }) => {
        const template_id = records.assertTemplate(args.template_id as string, 'template_id')
        const given = args[`${one}s`] as PartialArguments<Stored>[]
        records.setAll(
          template_id,
          given.map((record, index) => read({ ...record, template_id }, `${one}s[${index}]`)),
        )
        return undefined
      },
    }),
    [`get_${one}s`]: answering({
      description: `Returns ${kind}s by their ids and templates; all where none are named.`,
      args: named,
      response: { [`${one}s`]: [shape], ...returnCodeShape },
      answer: ({ args }) => ({ [`${one}s`]: records.get(idsOf(args, one), idsOf(args)) }),
    }),
    [`delete_${one}s`]: answering({
      description: `Deletes ${kind}s of the templates that are named; all of them where no ${kind} is named.`,
      args: named,
      response: returnCodeShape,
      answer: ({ args }) => {
        const templates = idsOf(args) ?? []
        // An empty list must not delete everything.
        if (templates.length === 0) throw new InvalidArgument('template_ids must not be empty')
        records.delete(idsOf(args, one), templates)
        return undefined
      },
    }),
  }
}

/** A grasp on the object of a template, in the object's frame. */
export type TemplateGrasp = {
  id: string
  template_id: string
  pose: Pose
  gripper_id: string
  /** -2 to 2. */
  priority: number
  /** Replicates the grasp about the x axis of `origin`. */
  replication: { origin: Pose; min_x_deg: number; max_x_deg: number; step_x_deg: number }
}

/** Our choice: smallest step, degrees, which limits the number of grasps. */
const smallestStep = 1

const replicationShape = {
  origin: poseShape,
  min_x_deg: 'float64',
  max_x_deg: 'float64',
  step_x_deg: 'float64',
} as const
const graspShape = {
  id: 'string',
  template_id: 'string',
  pose: poseShape,
  gripper_id: 'string',
  priority: 'int8',
  replication: replicationShape,
} as const
const bareShape = { pose: poseShape, replication: replicationShape, template_id: 'string' } as const

/** The services that store the grasps of templates. */
export const graspServices = (grasps: TemplateRecords<TemplateGrasp>): Record<string, ServiceDefinition> => ({
  ...templateServices(grasps, { one: 'grasp', shape: graspShape, read: templateGrasp }),
  get_symmetric_grasps: answering({
    description: 'Returns the copies of a grasp that the symmetry of its template gives.',
    args: { grasp: bareShape },
    required: ['grasp'],
    response: { grasps: [bareShape], ...returnCodeShape },
    // Our choice: the geometry of a template is unknown here, so none has a symmetry.
    answer: ({ args }) => {
      const { template_id, ...given } = args.grasp as PartialArguments<TemplateGrasp>
      const template = grasps.assertTemplate(template_id, 'grasp.template_id')
      const { pose, replication } = templateGrasp({ ...given, template_id: template, id: 'any' }, 'grasp')
      return { grasps: [{ pose, replication, template_id: template }] }
    },
  }),
})

function templateGrasp(given: PartialArguments<TemplateGrasp>, field: string): TemplateGrasp {
  const { min_x_deg = 0, max_x_deg = 0, step_x_deg = 0, origin } = given.replication ?? {}
  const replication = {
    origin: complete(origin, `${field}.replication.origin`),
    min_x_deg: within(min_x_deg, [-180, 0], `${field}.replication.min_x_deg`),
    max_x_deg: within(max_x_deg, [0, 180], `${field}.replication.max_x_deg`),
    step_x_deg,
  }
  if (min_x_deg !== max_x_deg) within(step_x_deg, [smallestStep, 360], `${field}.replication.step_x_deg`)
  return {
    id: named(given.id, `${field}.id`),
    template_id: named(given.template_id, `${field}.template_id`),
    pose: complete(given.pose, `${field}.pose`),
    gripper_id: given.gripper_id ?? '',
    priority: within(given.priority ?? 0, [-2, 2], `${field}.priority`),
    replication,
  }
}

/** The poses of a grasp with all its replications, in the object's frame. */
export function replicated({ pose, replication }: TemplateGrasp): Pose[] {
  const { origin, min_x_deg, max_x_deg, step_x_deg } = replication
  if (step_x_deg <= 0 || min_x_deg === max_x_deg) return [pose]
  const first = Math.ceil(min_x_deg / step_x_deg)
  const last = Math.floor(max_x_deg / step_x_deg)
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const angle = radians((first + index) * step_x_deg)
    const turn = { ...identity(), orientation: ofRotationVector({ x: angle, y: 0, z: 0 }) }
    return composed(composed(origin, turn), composed(inverted(origin), pose))
  })
}
