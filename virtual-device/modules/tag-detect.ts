/** april_tag_detect and qr_code_detect. */
import {
  returnCodeShape,
  type Environment,
  type Module,
  bool,
  choice,
  float64,
  int32,
  type ParameterDefinition,
} from '../module'
import { positive, timestampShape, InvalidArgument } from '../arguments'
import { detections, type Detection, runState, ServiceFailure, uuid } from '../detection/answering'
import {
  measured,
  frameShape,
  placedShape,
  axisOf,
  dot,
  lengthOf,
  viewOf,
  type View,
} from '../detection/geometry'
import { sceneSource, type Tag } from '../detection/scene'
import { seesGrid, sightOf } from '../cell/sight'

/** Width of the image for tag detection, px. */
const imageWidths: Readonly<Record<string, number>> = { Low: 320, Medium: 640, High: 1280 }

const smallestCell = 2 // our choice: smallest cell of a readable tag, px

/** Our choice: largest angle between the normal of a readable tag and the line of sight, as its cosine. */
const flattest = Math.cos((75 * Math.PI) / 180)

const sizeTolerance = 0.1

const parameters: readonly ParameterDefinition[] = [
  bool('detect_inverted_tags', false, 'Find tags with inverted colours too'),
  int32('forget_after_n_detections', 30, [1, 1000], 'Detections after which an unseen tag is forgotten'),
  float64(
    'max_corner_distance',
    0.005,
    [0.001, 0.01],
    'Motion of a corner within which a tag is still the same',
    {
      unit: 'm',
    },
  ),
  choice('quality', 'High', ['Low', 'Medium', 'High'], 'Resolution of the image in which tags are read'),
  bool('use_cached_images', false, 'Take the newest images there are instead of waiting for new ones'),
]

interface TagKind {
  name: string
  kind: Tag['kind']
  /** Cells along an edge. */
  cells: (tag: Tag) => number
  /** @throws InvalidArgument for an id that no tag can have */
  named: (id: string, argument: string) => (tag: Tag) => boolean
  /** In front of the camera instead of the scene's tags, of any kind. */
  instead: () => readonly Tag[] | undefined
}

function tagDetection(environment: Environment, { name, kind, cells, named, instead }: TagKind): Module {
  const { random, parameter } = environment
  const scene = environment.ofPipeline(sceneSource)
  const known = knownTags(random)
  const run = runState(environment, { stopped: known.forget })
  const detection = detections(environment, { durations: { processing_time: 0.06 }, depth: false })
  let latest = 0

  const detect = ({ args, parameters, frames, look, remark }: Detection) => {
    const wanted = ((args.tags ?? []) as { id?: string; size?: number }[]).map((tag, index) => ({
      isIt: tag.id ? named(tag.id, `tags[${index}].id`) : () => true,
      size: tag.size === undefined || tag.size === 0 ? undefined : positive(tag.size, `tags[${index}].size`),
    }))
    const { timestamp, time } = look()
    if (time < latest) {
      latest = time
      throw new ServiceFailure(-102, 'the system time jumped back')
    }
    latest = time
    const view = viewOf(environment)
    const { tags: inScene, settings } = scene()
    const tags = instead() ?? inScene
    const found = tags.filter(
      (tag) =>
        tag.kind === kind &&
        (!tag.inverted || parameters.detect_inverted_tags === true) &&
        isRead(tag, cells(tag), view, imageWidths[String(parameters.quality)] ?? view.width) &&
        (wanted.length === 0 || wanted.some(({ isIt, size }) => isIt(tag) && isOfSize(tag, size))),
    )
    const instances = known.seen(found, Number(parameters.forget_after_n_detections))
    if (!run.running()) {
      known.forget()
      remark(201, 'the module was not RUNNING; it was started and stopped for this detection')
    }
    return {
      tags: found.map((tag, index) => ({
        id: tag.id,
        instance_id: instances[index],
        size: tag.size * (1 + 0.01 * (random() - 0.5)),
        pose: frames.answer(measured(tag.pose, random, settings.noise)),
        pose_frame: frames.name,
        timestamp,
      })),
    }
  }

  return {
    name,
    scope: 'pipeline',
    license: name,
    parameters,
    services: {
      detect: detection.service({
        description: 'Detects tags and estimates their poses.',
        args: { ...frameShape, tags: [{ id: 'string', size: 'float64' }] },
        response: {
          tags: [{ ...placedShape, id: 'string', instance_id: 'string', size: 'float64' }],
          timestamp: timestampShape,
          ...returnCodeShape,
        },
        frame: 'camera',
        reuses: () => parameter(name, 'use_cached_images') === true,
        detect,
      }),
      ...run.services,
      restart: run.restart,
      ...detection.services,
    },
    state: run.state,
    values: () => ({ ...detection.values(), state: run.state() }),
  }
}

function isRead({ pose, size }: Tag, cells: number, view: View, imageWidth: number): boolean {
  const { position } = pose
  if (!view.inImage(position)) return false
  const pixels = (view.focal * (Math.min(imageWidth, view.width) / view.width) * size) / position.z
  return pixels / cells >= smallestCell && dot(axisOf(pose, 'z'), position) / lengthOf(position) >= flattest
}

const isOfSize = ({ size }: Tag, wanted: number | undefined) =>
  wanted === undefined || Math.abs(size - wanted) <= sizeTolerance * wanted

/** Recently detected tags, so that a tag is recognised again. */
function knownTags(random: () => number) {
  let known = new Map<Tag, { instance: string; unseen: number }>()

  return {
    /** Instances of the currently detected tags. @param patience detections after which an undetected tag is forgotten */
    seen: (tags: readonly Tag[], patience: number): string[] => {
      for (const each of known.values()) each.unseen += 1
      for (const tag of tags)
        known.set(tag, { instance: known.get(tag)?.instance ?? uuid(random), unseen: 0 })
      known = new Map([...known].filter(([, { unseen }]) => unseen < patience))
      return tags.map((tag) => known.get(tag)?.instance ?? '')
    },
    forget: () => known.clear(),
  }
}

/** The tags beside the calibration grid while the camera sees it; otherwise undefined. */
function tagsAtGrid({ module, scenario }: Environment): Tag[] | undefined {
  const sight = sightOf(module('hand_eye_calibration'))
  if (!sight || !seesGrid(scenario(), sight)) return undefined
  const { tags, hindrance } = sight.grid()
  if (hindrance?.kind === 'covered') return []
  return tags.map((tag) => ({ ...tag, inverted: false }))
}

/** Number of ids, and cells along an edge including the border, by family. */
const families: Readonly<Record<string, { ids: number; cells: number }>> = {
  '16h5': { ids: 30, cells: 8 },
  '25h9': { ids: 35, cells: 9 },
  '36h10': { ids: 2320, cells: 10 },
  '36h11': { ids: 587, cells: 10 },
  '41h12': { ids: 2115, cells: 9 },
}

export const aprilTagDetect = (environment: Environment) =>
  tagDetection(environment, {
    name: 'april_tag_detect',
    kind: 'april',
    instead: () => tagsAtGrid(environment),
    cells: ({ id }) => families[familyOf(id)]?.cells ?? 10,
    named: (id, argument) => {
      const family = families[familyOf(id)]
      const number = id.slice(familyOf(id).length)
      const known =
        family && (number === '' || (/^_\d+$/.test(number) && Number(number.slice(1)) < family.ids))
      if (!known) throw new InvalidArgument(`${argument}: '${id}' is neither a family nor one of its tags`)
      return number === '' ? (tag) => familyOf(tag.id) === id : (tag) => tag.id === id
    },
  })

const familyOf = (id: string): string => id.split('_', 1)[0] ?? ''

const cells = 25 // our choice: cells along an edge, as in a code for about 30 characters

/** Detects QR codes; their text is their id. */
export const qrCodeDetect = (environment: Environment) =>
  tagDetection(environment, {
    name: 'qr_code_detect',
    kind: 'qr',
    instead: () => tagsAtGrid(environment),
    cells: () => cells,
    named: (id, argument) => {
      if (!/^[\u0000-\u007f]*$/.test(id))
        throw new InvalidArgument(`${argument}: only ASCII characters can be read`)
      return (tag) => tag.id === id
    },
  })
