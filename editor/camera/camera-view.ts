import type { KnownPicture, NoPicture } from '../../nodes/device-config/admin/routes'
import { deviceApi, fixedText, problemIn, problemOf } from '../device-api'
import { inBackground, type Dialog, sharedText } from '../dialog'
import { whileVisible } from '../live-panel'

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

interface CameraView {
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
    .on('click', () => inBackground(show()))
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
    inBackground(show())
  })
  live.on('change', () => {
    if (live.prop('checked')) askedAt = -Infinity
  })
  const [place] = element.get()
  if (place)
    whileVisible(place, () => {
      if (live.prop('checked') && !isAsking && performance.now() >= askedAt + period) inBackground(show(true))
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

/** The camera of a device as it runs; a sentence if it does not run as the editor has it. */
export function deployedCamera(device: string, pipeline: string): ViewedCamera | string {
  const node = RED.nodes.node(device) as EditorNode | null
  if (!node || node['d'] || node['changed']) return sharedText('picture.deployFirst')
  return { device, pipeline }
}

/** Shows, on demand, the picture of the camera that a dialog has chosen. */
export function dialogPicture(dialog: Dialog): void {
  const { form, value, input } = dialog
  const view = cameraView({
    camera: () => {
      const device = value('device')
      if (!device) return sharedText('pick.deviceFirst')
      const pipeline = fixedText(dialog, 'pipeline')
      if (pipeline === undefined) return sharedText('try.fixed', { fields: dialog.label('pipeline') })
      return deployedCamera(device, pipeline || '0')
    },
    resized: () => RED.tray.resize(),
  })
  for (const field of ['device', 'pipeline']) input(field).on('change', () => view.clear())
  const row = $('<div class="form-row vision-view-row">').append(view.element)
  const first = form.children('details').first()
  if (first.length) row.insertBefore(first)
  else row.appendTo(form)
}

/** A picture as the browser has it, with what is known of it; or since when there is no newer one. */
type FetchedPicture = ({ blob: Blob } & KnownPicture) | NoPicture

interface PictureQuery {
  device: string
  pipeline: string
  part: string
  /** `receivedAt` of the picture that is shown; then only a newer one is sent. */
  after?: number | undefined
}

/** Fetches the newest picture of a camera of a running device. @throws DeviceProblem */
async function fetchPicture({ device, ...query }: PictureQuery): Promise<FetchedPicture> {
  // jQuery makes nothing of an error whose body is not a text.
  const sent = new XMLHttpRequest()
  const url = `vision-devices/${encodeURIComponent(device)}/picture?${$.param(query)}`
  try {
    const blob = (await $.ajax({
      ...{ url, dataType: 'binary', xhrFields: { responseType: 'blob' }, xhr: () => sent },
      headers: { 'accept-language': RED.i18n.lang() },
    })) as Blob
    const known = sent.getResponseHeader('x-vision-picture')
    if (known === null) return JSON.parse(await blob.text()) as NoPicture
    return { blob, ...(JSON.parse(known) as KnownPicture) }
  } catch (failed) {
    const { status } = failed as JQuery.jqXHR
    const body: unknown = sent.response
    throw problemOf({ status, responseJSON: body instanceof Blob ? jsonIn(await body.text()) : undefined })
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The modes in which a node waits for a trigger, by node. */
const nodes = [
  { node: 'dev_camera', waits: ['Trigger'] },
  { node: 'dev_stereomatching', waits: ['SingleFrame', 'SingleFrameOut1'] },
] as const

/** Why no picture may come: the device waits for a trigger. Empty if the device does not say so. */
async function whyNoPicture(device: string, pipeline: string, part: string): Promise<string> {
  for (const { node, waits } of nodes) {
    if (part === 'left' && node !== 'dev_camera') continue
    try {
      const place = { pipeline, node, param: 'acquisition_mode' }
      const { value } = await deviceApi(device).read('getParameter', place, { fresh: true })
      if (waits.some((mode) => mode === value))
        return sharedText('picture.waitsForTrigger', { node, mode: String(value) })
    } catch {
      // Not every device has the parameter.
    }
  }
  return ''
}

/** The picture that is shown. */
export type ShownPicture = KnownPicture

/** Milliseconds by which the device's clock may differ without a word. */
const sameTime = 2000

/** Shows one picture with its time and size, and a drawing over it. */
function pictureFrame(resized: () => void) {
  const image = $('<img class="vision-view-image">')
  const drawing = $('<img class="vision-view-drawing" alt="" hidden>')
  const caption = $('<figcaption>')
  const stack = $('<div class="vision-view-stack">').append(image, drawing)
  const element = $('<figure class="vision-view-frame" hidden>').append(stack, caption)
  let url: string | undefined
  let shown: ShownPicture | undefined
  /** Counts pictures and clearings: a picture that is cleared while it is decoded must not be shown. */
  let turn = 0

  /** Resolves when it can be seen. */
  async function show({ blob, ...known }: { blob: Blob } & KnownPicture, name: string): Promise<void> {
    const mine = ++turn
    const next = URL.createObjectURL(blob)
    const [target] = image.get() as HTMLImageElement[]
    if (target) {
      target.src = next
      try {
        await target.decode()
      } catch {
        // The browser shows a broken picture as such.
      }
    }
    if (mine !== turn) {
      URL.revokeObjectURL(next)
      return
    }
    if (url) URL.revokeObjectURL(url)
    url = next
    const isFirst = !shown
    shown = known
    draw(undefined)
    image.attr('alt', `${name}, ${timeOf(known.receivedAt)}`)
    caption.text(captionOf(known))
    element.prop('hidden', false)
    if (isFirst) resized()
  }

  /** @param svg a drawing of the same shape as the picture; undefined for none */
  function draw(svg: string | undefined): void {
    drawing.prop('hidden', svg === undefined)
    // As an image, a drawing can run no script and load nothing.
    if (svg !== undefined) drawing.attr('src', `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`)
    else drawing.removeAttr('src')
  }

  function clear(): void {
    turn++
    if (url) URL.revokeObjectURL(url)
    url = undefined
    shown = undefined
    draw(undefined)
    image.removeAttr('src')
    element.prop('hidden', true)
    resized()
  }

  return { element, show, draw, clear, shown: () => shown }
}

/** The time at which it was taken, by the device's clock where that is another, and the size. */
function captionOf({ takenAt, receivedAt, width, height }: KnownPicture): string {
  const size = `${width} × ${height} px`
  const taken = 1000 * takenAt
  if (Math.abs(taken - receivedAt) < sameTime) return `${timeOf(taken)} · ${size}`
  return `${timeOf(receivedAt)} (${sharedText('picture.deviceTime', { time: new Date(taken).toLocaleString(RED.i18n.lang(), { hour12: false }) })}) · ${size}`
}

/** The time of day in the language of the editor. */
const timeOf = (milliseconds: number): string =>
  new Date(milliseconds).toLocaleTimeString(RED.i18n.lang(), { hour12: false })
