import { problemIn } from '../request'
import { sharedText } from '../shared-text'
import { whileVisible } from '../while-visible'
import { fetchPicture, type FetchedPicture } from './fetch-picture'
import { whyNoPicture } from './no-picture'
import { pictureFrame, type ShownPicture } from './picture-frame'
import { timeOf } from './time-of'

/** Milliseconds between two pictures: at most two a second. */
const period = 500
/** Milliseconds for which a picture is waited for that nobody has to trigger: a slow device, or a busy computer. */
const longestWait = 60_000

/** Whose picture is shown. */
export interface ViewedCamera {
  device: string
  pipeline: string
}

interface CameraViewOptions {
  /** The camera as it is chosen now; a sentence if there is none. */
  camera: () => ViewedCamera | string
  /** Shown in front of the controls. */
  before?: JQuery
  /** Called with each picture as soon as it can be seen. */
  shown?: (picture: ShownPicture, camera: ViewedCamera) => void
  /** Called when the size of the view has changed. */
  resized?: () => void
}

export interface CameraView {
  element: JQuery
  /** Shows the newest picture, if possible; never rejects. */
  show: () => Promise<ShownPicture | undefined>
  /** Drops the picture: another camera is chosen. */
  clear: () => void
  /** Puts a drawing over the picture until the next one comes. */
  draw: (svg: string | undefined) => void
}

const parts = ['left', 'depth', 'confidence'] as const

/**
 * The picture of a camera with its controls: which one, once, or live at most twice a second while it can be seen. It never
 * triggers the camera; it says since when no picture has come.
 */
export function cameraView({
  camera,
  before,
  shown = () => undefined,
  resized = () => undefined,
}: CameraViewOptions): CameraView {
  const part = $('<select>').attr('aria-label', sharedText('picture.part'))
  for (const value of parts)
    part.append(
      $('<option>')
        .val(value)
        .text(sharedText(`picture.${value}`)),
    )
  const once = $('<button type="button" class="red-ui-button">')
    .append(
      '<i class="fa fa-picture-o" aria-hidden="true"></i> ',
      $('<span>').text(sharedText('picture.show')),
    )
    .on('click', () => void show())
  const live = $('<input type="checkbox">')
  const liveLabel = $('<label class="vision-view-live">').append(live, ' ', sharedText('picture.live'))
  const said = $('<div class="vision-view-said" role="status">')
  const frame = pictureFrame(resized)
  const element = $('<div class="vision-view">').append(
    $('<div class="vision-view-tools">').append(before ?? '', part, once, liveLabel),
    said,
    frame.element,
  )
  // For a dialog, a change means that its node has other settings.
  element.on('change', (event) => event.stopPropagation())
  let turn = 0
  let askedAt = -Infinity
  let isAsking = false

  part.on('change', () => {
    clear()
    void show()
  })
  live.on('change', () => {
    if (live.prop('checked')) askedAt = -Infinity
  })
  const [place] = element.get()
  if (place)
    whileVisible(place, () => {
      if (live.prop('checked') && !isAsking && performance.now() >= askedAt + period) void show(true)
    })

  /** @param isLive only a picture that is newer than the one shown */
  async function show(isLive = false): Promise<ShownPicture | undefined> {
    const chosen = camera()
    if (typeof chosen === 'string') {
      say(chosen)
      return undefined
    }
    const mine = ++turn
    isAsking = true
    once.prop('disabled', !isLive)
    if (!isLive) say(sharedText('picture.asking'))
    try {
      const wanted = String(part.val())
      const until = performance.now() + longestWait
      for (let isNewer = isLive; ; isNewer = true) {
        askedAt = performance.now()
        const found = await fetchPicture({
          ...chosen,
          part: wanted,
          ...(isNewer && { after: frame.shown()?.receivedAt }),
        })
        if (mine !== turn) return undefined
        const mayCome = await tell(found, chosen, wanted, mine)
        if (mine !== turn) return undefined
        if (isLive || !mayCome || performance.now() > until || !isSeen()) return frame.shown()
        once.prop('disabled', false)
        await pause(askedAt + period - performance.now())
        if (mine !== turn) return undefined
      }
    } catch (problem) {
      if (mine === turn) say([problemIn(problem)?.message ?? String(problem), lastOne()].join(' ').trim())
      return undefined
    } finally {
      if (mine === turn) {
        isAsking = false
        once.prop('disabled', false)
      }
    }
  }

  /** @returns whether a picture, or a newer one, is still to come by itself */
  async function tell(
    found: FetchedPicture,
    chosen: ViewedCamera,
    wanted: string,
    mine: number,
  ): Promise<boolean> {
    if ('blob' in found) {
      await frame.show(found, sharedText(`picture.${wanted}`))
      if (mine !== turn) return false
      shown(found, chosen)
      if (Date.now() - found.receivedAt <= oldAfter) {
        say('')
        return false
      }
    }
    // A live view of a camera that waits says so once, not at every question.
    const since = 'blob' in found ? found.receivedAt : found.since
    const why = await whyNoPicture(chosen.device, chosen.pipeline, wanted)
    if (mine === turn)
      say(`${lastOne() || sharedText('picture.noneSince', { time: timeOf(since) })} ${why}`.trim())
    return why === ''
  }

  const isSeen = () => element.is(':visible') && !document.hidden

  const lastOne = () => {
    const { receivedAt } = frame.shown() ?? {}
    return receivedAt === undefined ? '' : sharedText('picture.lastFrom', { time: timeOf(receivedAt) })
  }

  /** Says it once: a live region that is written again is read aloud again. */
  function say(text: string): void {
    if (said.text() === text) return
    said.text(text)
    resized()
  }

  function clear(): void {
    turn++
    isAsking = false
    once.prop('disabled', false)
    frame.clear()
    say('')
  }

  return { element, show: () => show(), clear, draw: frame.draw }
}

/** Milliseconds after which a picture is called the last one. */
const oldAfter = 4000

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
