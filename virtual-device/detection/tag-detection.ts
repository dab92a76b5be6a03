import { returnCodeShape, type Environment, type Module } from '../module'
import { bool, choice, float64, int32, type ParameterDefinition } from '../parameter'
import { positive, timestampShape } from '../services/arguments'
import { detections, type Detection } from './detections'
import { measured, frameShape, placedShape, axisOf, dot, lengthOf, viewOf, type View } from './geometry'
import { runState, ServiceFailure, uuid } from './answering'
import { sceneSource, type Tag } from './scene'

/** Width of the image for tag detection, px. */
const imageWidths: Readonly<Record<string, number>> = { Low: 320, Medium: 640, High: 1280 }
/** Our choice: smallest cell of a readable tag, px. */
const smallestCell = 2
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

/** The differences between the kinds of tags. */
interface TagKind {
  name: string
  kind: Tag['kind']
  /** Cells along an edge. */
  cells: (tag: Tag) => number
  /** The tag with an id. @throws InvalidArgument for an id that no tag can have */
  named: (id: string, argument: string) => (tag: Tag) => boolean
  /** Tags that are in front of the camera instead of those of the scene, of any kind. */
  instead: () => readonly Tag[] | undefined
}

/** A module that detects tags of one kind. */
export function tagDetection(
  environment: Environment,
  { name, kind, cells, named, instead }: TagKind,
): Module {
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

/** The tags seen recently, so that a tag is recognised again. */
function knownTags(random: () => number) {
  let known = new Map<Tag, { instance: string; unseen: number }>()

  return {
    /**
     * The instances of the tags seen now.
     * @param patience detections after which an unseen tag is forgotten
     */
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
