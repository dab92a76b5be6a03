import type { DrawnOverlay } from '../../nodes/device-config/admin/routes'
import { inBackground, isObject, sharedText } from '../dialog'
import { request } from '../device-api'
import { cameraView, type ViewedCamera, deployedCamera, type ShownPicture } from './camera-view'

/** Lists in a detection's answer, and the region of a depth measurement. */
const lists = ['load_carriers', 'items', 'grasps', 'matches', 'instances', 'tags']
const region = 'region_of_interest_2d'

/** Tolerated seconds between answer and picture. */
const sameTime = 1

interface Detection {
  device: string
  pipeline: string
  args: object
  response: unknown
}

export const isDetection = (service: string, response: unknown): boolean =>
  !service.startsWith('get_') &&
  isObject(response) &&
  (lists.some((name) => Array.isArray(response[name])) || isObject(response[region]))

/** The camera's picture with the results drawn over it. */
export function foundView({ device, pipeline, args, response }: Detection, resized: () => void): JQuery {
  const remarks = $('<ul class="vision-view-remarks">')
  let drawn: { key: string; overlay: Promise<DrawnOverlay> } | undefined
  const view = cameraView({
    camera: () => deployedCamera(device, pipeline),
    shown: (picture, camera) => inBackground(draw(picture, camera)),
    resized,
  })

  async function draw(picture: ShownPicture, camera: ViewedCamera): Promise<void> {
    const { width, height } = picture
    const seen = { width, height, ...picture.camera }
    const key = JSON.stringify(seen)
    if (drawn?.key !== key) drawn = { key, overlay: overlayOf(camera, seen) }
    try {
      const overlay = await drawn.overlay
      view.draw(overlay.svg)
      show([...remarksOf(overlay), ...laterThan(response, picture)])
    } catch (problem) {
      drawn = undefined
      show([problem instanceof Error ? problem.message : String(problem)])
    }
  }

  const overlayOf = (camera: ViewedCamera, seen: object) =>
    request('POST', `vision-devices/${encodeURIComponent(camera.device)}/overlay`, {
      ...{ pipeline: camera.pipeline, answer: response, args, camera: seen },
      title: sharedText('picture.overlay'),
    }) as Promise<DrawnOverlay>

  function show(texts: string[]) {
    remarks.empty().append(texts.map((text) => $('<li>').text(text)))
    resized()
  }

  inBackground(view.show())
  return view.element.append(remarks)
}

function remarksOf({ svg, found, outside, external, why }: DrawnOverlay): string[] {
  const counts = Object.entries(found).map(([kind, count]) => sharedText(`picture.found.${kind}`, { count }))
  if (svg.includes('data-kind="region"')) counts.unshift(sharedText('picture.region'))
  return [
    counts.length ? counts.join(', ') : sharedText('picture.foundNothing'),
    ...(external ? [sharedText(`picture.${why ?? 'noCalibration'}`, { count: external })] : []),
    ...(outside ? [sharedText('picture.outside', { count: outside })] : []),
  ]
}

/** Warns if something may have moved between detection and picture. */
function laterThan(response: unknown, { takenAt }: ShownPicture): string[] {
  const { sec, nsec } = ((response as { timestamp?: unknown }).timestamp ?? {}) as Record<string, unknown>
  if (typeof sec !== 'number' || typeof nsec !== 'number') return []
  const seconds = takenAt - sec - nsec / 1e9
  return Math.abs(seconds) > sameTime
    ? [sharedText('picture.later', { seconds: Math.abs(seconds).toFixed(0) })]
    : []
}
