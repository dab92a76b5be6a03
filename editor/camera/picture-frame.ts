import type { KnownPicture } from '../../nodes/device-config/admin/picture'
import { sharedText } from '../shared-text'
import { timeOf } from './time-of'

/** The picture that is shown. */
export type ShownPicture = KnownPicture

/** Milliseconds by which the device's clock may differ without a word. */
const sameTime = 2000

/** Shows one picture with its time and size, and a drawing over it. */
export function pictureFrame(resized: () => void) {
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
      await target.decode().catch(() => undefined)
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
