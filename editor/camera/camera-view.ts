import type { KnownPicture, NoPicture } from '../../nodes/device-config/admin/routes'
import { deviceApi, fixedText, problemIn, problemOf } from '../device-api'
import { inBackground, type Dialog, sharedText } from '../dialog'
import { whileVisible } from '../live-panel'

/** Milliseconds between two pictures. */
const period = 500
/** Longest wait in ms for a picture that needs no trigger: a slow device, or a busy computer. */
const longestWait = 60_000

export interface ViewedCamera {
  device: string
  pipeline: string
}

interface CameraViewOptions {
  /** The selected camera; a sentence if there is none. */
  camera: () => ViewedCamera | string
  before?: JQuery
  shown?: (picture: ShownPicture, camera: ViewedCamera) => void
  resized?: () => void
}

interface CameraView {
  element: JQuery
  /** Shows the newest picture; never rejects. */
  show: () => Promise<ShownPicture | undefined>
  /** Another camera is selected. */
  clear: () => void
  draw: (svg: string | undefined) => void
}

const parts = ['left', 'depth', 'confidence'] as const

/**
 * A camera's picture with its controls: once, or live at most twice a second while visible. Never triggers the camera; shows
 * since when no picture has arrived.
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
  const region = $('<div class="vision-view-said" role="status">')
  const frame = pictureFrame(resized)
  const element = $('<div class="vision-view">').append(
    $('<div class="vision-view-tools">').append(before ?? '', part, once, liveLabel),
    region,
    frame.element,
  )
  // In a dialog, a change would mean that the node has other settings.
  element.on('change', (event) => event.stopPropagation())
  let turn = 0
  let requestedAt = -Infinity
  let isAsking = false

  part.on('change', () => {
    clear()
    inBackground(show())
  })
  live.on('change', () => {
    if (live.prop('checked')) requestedAt = -Infinity
  })
  const [place] = element.get()
  if (place)
    whileVisible(place, () => {
      if (live.prop('checked') && !isAsking && performance.now() >= requestedAt + period)
        inBackground(show(true))
    })

  /** @param isLive only a newer picture */
  async function show(isLive = false): Promise<ShownPicture | undefined> {
    const chosen = camera()
    if (typeof chosen === 'string') {
      announce(chosen)
      return undefined
    }
    const current = ++turn
    isAsking = true
    once.prop('disabled', !isLive)
    if (!isLive) announce(sharedText('picture.asking'))
    try {
      const requestedPart = String(part.val())
      const until = performance.now() + longestWait
      for (let isNewer = isLive; ; isNewer = true) {
        requestedAt = performance.now()
        const found = await fetchPicture({
          ...chosen,
          part: requestedPart,
          ...(isNewer && { after: frame.shown()?.receivedAt }),
        })
        if (current !== turn) return undefined
        const mayCome = await report(found, chosen, requestedPart, current)
        if (current !== turn) return undefined
        if (isLive || !mayCome || performance.now() > until || !isSeen()) return frame.shown()
        once.prop('disabled', false)
        await pause(requestedAt + period - performance.now())
        if (current !== turn) return undefined
      }
    } catch (problem) {
      if (current === turn)
        announce([problemIn(problem)?.message ?? String(problem), lastOne()].join(' ').trim())
      return undefined
    } finally {
      if (current === turn) {
        isAsking = false
        once.prop('disabled', false)
      }
    }
  }

  /** @returns whether a picture, or a newer one, is still expected */
  async function report(
    found: FetchedPicture,
    chosen: ViewedCamera,
    requestedPart: string,
    current: number,
  ): Promise<boolean> {
    if ('blob' in found) {
      await frame.show(found, sharedText(`picture.${requestedPart}`))
      if (current !== turn) return false
      shown(found, chosen)
      if (Date.now() - found.receivedAt <= oldAfter) {
        announce('')
        return false
      }
    }
    // A live view reports a waiting camera once, not at every request.
    const since = 'blob' in found ? found.receivedAt : found.since
    const why = await whyNoPicture(chosen.device, chosen.pipeline, requestedPart)
    if (current === turn)
      announce(`${lastOne() || sharedText('picture.noneSince', { time: timeOf(since) })} ${why}`.trim())
    return why === ''
  }

  const isSeen = () => element.is(':visible') && !document.hidden

  const lastOne = () => {
    const { receivedAt } = frame.shown() ?? {}
    return receivedAt === undefined ? '' : sharedText('picture.lastFrom', { time: timeOf(receivedAt) })
  }

  /** Once: a rewritten live region is read aloud again. */
  function announce(text: string): void {
    if (region.text() === text) return
    region.text(text)
    resized()
  }

  function clear(): void {
    turn++
    isAsking = false
    once.prop('disabled', false)
    frame.clear()
    announce('')
  }

  return { element, show: () => show(), clear, draw: frame.draw }
}

/** Age of an old picture, ms. */
const oldAfter = 4000

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A sentence if the device does not run with the editor's settings. */
export function deployedCamera(device: string, pipeline: string): ViewedCamera | string {
  const node = RED.nodes.node(device) as EditorNode | null
  if (!node || node['d'] || node['changed']) return sharedText('picture.deployFirst')
  return { device, pipeline }
}

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

/** A picture with its details, or since when there is no newer one. */
type FetchedPicture = ({ blob: Blob } & KnownPicture) | NoPicture

interface PictureQuery {
  device: string
  pipeline: string
  part: string
  /** `receivedAt` of the shown picture; only a newer one is sent. */
  after?: number | undefined
}

/** @throws DeviceProblem */
async function fetchPicture({ device, ...query }: PictureQuery): Promise<FetchedPicture> {
  // jQuery cannot read an error whose body is not text.
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

/** Modes that wait for a trigger. */
const nodes = [
  { node: 'dev_camera', waits: ['Trigger'] },
  { node: 'dev_stereomatching', waits: ['SingleFrame', 'SingleFrameOut1'] },
] as const

/** Why no picture may come: the device waits for a trigger. Empty if unknown. */
async function whyNoPicture(device: string, pipeline: string, part: string): Promise<string> {
  for (const { node, waits } of nodes) {
    if (part === 'left' && node !== 'dev_camera') continue
    try {
      const place = { pipeline, node, param: 'acquisition_mode' }
      const { value } = await deviceApi(device).read('getParameter', place, { fresh: true })
      if (waits.some((mode) => mode === value))
        return sharedText('picture.waitsForTrigger', { node, mode: String(value) })
    } catch {
      // Not every device has this parameter.
    }
  }
  return ''
}

export type ShownPicture = KnownPicture

/** Tolerated difference of the device's clock, ms. */
const sameTime = 2000

/** One picture with its time and size, and a drawing over it. */
function pictureFrame(resized: () => void) {
  const image = $('<img class="vision-view-image">')
  const drawing = $('<img class="vision-view-drawing" alt="" hidden>')
  const caption = $('<figcaption>')
  const stack = $('<div class="vision-view-stack">').append(image, drawing)
  const element = $('<figure class="vision-view-frame" hidden>').append(stack, caption)
  let url: string | undefined
  let shown: ShownPicture | undefined
  /** Counts pictures and clearings: a picture cleared while decoding must not be shown. */
  let turn = 0

  async function show({ blob, ...known }: { blob: Blob } & KnownPicture, name: string): Promise<void> {
    const current = ++turn
    const next = URL.createObjectURL(blob)
    const [target] = image.get() as HTMLImageElement[]
    if (target) {
      target.src = next
      try {
        await target.decode()
      } catch {
        // The browser itself shows a broken picture.
      }
    }
    if (current !== turn) {
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

  /** @param svg of the picture's shape; undefined: none */
  function draw(svg: string | undefined): void {
    drawing.prop('hidden', svg === undefined)
    // As an image, a drawing cannot run scripts or load anything.
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

/** Time, by the device's clock if that differs, and size. */
function captionOf({ takenAt, receivedAt, width, height }: KnownPicture): string {
  const size = `${width} × ${height} px`
  const taken = 1000 * takenAt
  if (Math.abs(taken - receivedAt) < sameTime) return `${timeOf(taken)} · ${size}`
  return `${timeOf(receivedAt)} (${sharedText('picture.deviceTime', { time: new Date(taken).toLocaleString(RED.i18n.lang(), { hour12: false }) })}) · ${size}`
}

/** Local time. */
const timeOf = (milliseconds: number): string =>
  new Date(milliseconds).toLocaleTimeString(RED.i18n.lang(), { hour12: false })
