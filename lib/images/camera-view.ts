/** Pictures for people: the newest one of a camera, as PNG, received only while somebody watches. */
import { awaitedLater } from '../kernel/scope'
import { sleep, startTimeout } from '../kernel/timers'
import type { VisionError } from '../client/vision-error'
import { openImages } from './open'
import { imagesError } from './failures'
import type { ImageLink, ImageLinkOptions, ImageSet } from './options'
import type { WantedImages } from '../codec/images/codec'
import { colouredDepth, depthOf, type Camera } from './depth'
import { layoutOf, type Pixels, pngOf } from './picture'

/** The left image, the depth in colours, or the confidence. */
export const viewParts = ['left', 'depth', 'confidence'] as const

/** One of `viewParts`. */
export type ViewPart = (typeof viewParts)[number]

/** A picture for people. */
export interface ViewedPicture {
  /** A PNG file, not wider than 1440 pixels. */
  png: Buffer
  /** Pixels, before thinning. */
  width: number
  height: number
  /** Seconds since 1970, device clock. */
  takenAt: number
  /** Milliseconds since 1970, local clock. */
  receivedAt: number
  /** In pixels before thinning. */
  camera: Camera
}

/** Pixels: wider pictures are thinned. No screen shows more, and PNG files of them would be several megabytes. */
const widest = 1440

/** One part per stream, because a stream with several waits for the slowest. */
const partsFor = (part: ViewPart): WantedImages =>
  part === 'left' ? { left: true } : part === 'depth' ? { disparity: true } : { confidence: true }

/** Undefined if the set lacks the part. @throws RangeError if it cannot be read */
async function viewedPicture(part: ViewPart, set: ImageSet): Promise<ViewedPicture | undefined> {
  const image = part === 'depth' ? set.disparity : set[part]
  if (!image) return undefined
  const pixels = set.disparity && part === 'depth' ? await colouredDepth(await depthOf(set.disparity)) : image
  const { width, height, focalLength, principalPoint } = image
  return {
    png: await pngOf(thinned(pixels)),
    ...{ width, height, receivedAt: set.receivedAt },
    takenAt: Number(set.timestamp / 1000n) / 1e6,
    camera: { focalLength, principalPoint: { ...principalPoint } },
  }
}

/** Keeps every second, third… pixel of a picture that is too wide. @throws RangeError */
export function thinned(pixels: Pixels): Pixels {
  const { size, step, encoding } = layoutOf(pixels)
  const factor = Math.ceil(pixels.width / widest)
  if (factor <= 1) return pixels
  const width = Math.floor(pixels.width / factor)
  const height = Math.floor(pixels.height / factor)
  const data = Buffer.allocUnsafe(width * height * size)
  let at = 0
  for (let row = 0; row < height; row++)
    for (let column = 0, from = row * factor * step; column < width; column++, from += factor * size)
      for (let byte = 0; byte < size; byte++) data[at++] = pixels.data[from + byte] ?? 0
  return { width, height, encoding, data }
}

/** Which picture to watch, and for how long. */
export interface CameraViewOptions {
  place: ImageLinkOptions
  part: ViewPart
  /** Longest wait for a new picture, milliseconds. @default 2500 */
  patience?: number
  /** Milliseconds after the last request until the stream is closed. @default 5000 */
  linger?: number
  /** Milliseconds after the last request until the last picture is dropped. @default 600000 */
  keeps?: number
  onForgotten?: () => void
}

/** A picture for a viewer. */
export interface CameraGlance {
  picture?: ViewedPicture
  /** Since when there is no newer one, milliseconds since 1970, local clock. */
  since: number
}

/** What the viewer has, and when it stops waiting. */
export interface GlanceOptions {
  /** `receivedAt` of the picture that the viewer has. @default none */
  after?: number | undefined
  signal?: AbortSignal
}

/** Milliseconds between two pictures: people need no more than two a second. */
const period = 400

/** Milliseconds: a set that is older on arrival than others by this was held up. */
const lateBy = 150

/** Delayed sets that are skipped: more than are held up while the stream is unread. */
const mostLate = 4

/**
 * One picture of a camera for all its viewers, over one stream that is opened for the first viewer and closed soon
 * after the last. It never triggers anything: in the single-frame modes it has the pictures that others trigger.
 *
 * Reads at most three sets per picture and stops reading in between; keeps one picture.
 */
export class CameraView {
  readonly #options: Required<CameraViewOptions>
  #link: ImageLink<ImageSet> | undefined
  #leaving = new AbortController() // ends the work of a stream
  #reading: Promise<void> = Promise.resolve()
  #left: Promise<unknown> = Promise.resolve() // resolves when nothing is left of previous streams
  #openedAt = 0
  #failure: VisionError | undefined
  #latest: { set?: ImageSet; receivedAt: number; picture?: Promise<ViewedPicture | undefined> } | undefined
  readonly #waiting = new Set<() => void>()
  #asking = 0
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor({
    patience = 2500,
    linger = 5000,
    keeps = 600_000,
    onForgotten = () => undefined,
    ...rest
  }: CameraViewOptions) {
    this.#options = { patience, linger, keeps, onForgotten, ...rest }
  }

  get isWatching(): boolean {
    return this.#link !== undefined && this.#failure === undefined
  }

  /**
   * The newest picture. Waits for one if there is none since the stream was opened, or if the viewer has it.
   * @throws VisionError why there is no stream; `BAD_REPLY` for a picture that cannot be read; `ABORTED` once closed
   */
  async look({ after = 0, signal }: GlanceOptions = {}): Promise<CameraGlance> {
    this.#asking++
    clearTimeout(this.#timer)
    try {
      this.#open()
      await this.#newerThan(after, signal)
      if (this.#isClosed) throw this.#error('ABORTED', 'images-closed')
      if (this.#failure) throw this.#failure
      const { receivedAt = 0 } = this.#latest ?? {}
      const picture = receivedAt > after ? await this.#picture() : undefined
      return { since: Math.max(this.#openedAt, receivedAt), ...(picture && { picture }) }
    } finally {
      if (--this.#asking === 0) this.#rest()
    }
  }

  /** Resolves when nothing is left. Waiting requests end with `ABORTED`. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#latest = undefined
    this.#leave()
    await this.#left
    this.#changed()
  }

  #open(): void {
    if (this.#isClosed || (this.#link && !this.#failure)) return
    // A new request after a failure starts the next attempt at once.
    if (this.#link) this.#leave()
    const { place, part } = this.#options
    this.#failure = undefined
    this.#openedAt = Date.now()
    const link = openImages({
      ...place,
      wanted: partsFor(part),
      // While the stream is unread, the device pauses and drops the rest.
      newestOnly: false,
      reconnects: false,
    })
    this.#link = link
    this.#leaving = new AbortController()
    this.#reading = this.#read(link, this.#leaving.signal)
  }

  async #read(link: ImageLink<ImageSet>, signal: AbortSignal): Promise<void> {
    let quickest = Infinity
    let late = 0
    try {
      for await (const set of link) {
        if (signal.aborted) return
        this.#latest = { set, receivedAt: set.receivedAt }
        this.#changed()
        const travelled = set.receivedAt - Number(set.timestamp / 1_000_000n)
        if (travelled > quickest + lateBy && ++late <= mostLate) continue
        // The clock was set, or the device takes longer now.
        quickest = late > mostLate ? travelled : Math.min(quickest, travelled)
        late = 0
        await sleep(period, signal)
      }
    } catch (error) {
      if (!signal.aborted) this.#failure = error as VisionError
    }
    this.#changed()
  }

  /** Resolves with a newer picture, a failure, after the patience, and when the last viewer has left. */
  async #newerThan(after: number, signal: AbortSignal | undefined): Promise<void> {
    const least = Math.max(after + 1, this.#openedAt)
    const isOver = () =>
      (this.#latest?.receivedAt ?? 0) >= least ||
      this.#failure !== undefined ||
      this.#isClosed ||
      signal?.aborted === true
    if (isOver()) return
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', wake)
        this.#waiting.delete(wake)
        resolve()
      }
      const wake = () => {
        if (isOver()) end()
      }
      const timer = startTimeout(end, this.#options.patience)
      signal?.addEventListener('abort', wake)
      this.#waiting.add(wake)
    })
  }

  async #picture(): Promise<ViewedPicture | undefined> {
    const { part } = this.#options
    const latest = this.#latest
    if (!latest) return undefined
    const { set } = latest
    // Concurrent viewers share it; the set itself is much larger.
    if (set) latest.picture = viewedPicture(part, set)
    delete latest.set
    try {
      return await latest.picture
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      throw this.#error('BAD_REPLY', 'images-unreadable', { detail: error.message })
    }
  }

  #rest(): void {
    if (this.#isClosed) return
    const { linger, keeps, onForgotten } = this.#options
    this.#timer = startTimeout(() => {
      this.#leave()
      this.#timer = startTimeout(() => {
        this.#latest = undefined
        onForgotten()
      }, keeps).unref()
    }, linger)
  }

  /** See `#left`. */
  #leave(): void {
    const link = this.#link
    this.#link = undefined
    this.#leaving.abort()
    this.#left = awaitedLater(Promise.all([this.#left, link?.close(), this.#reading]))
  }

  #changed(): void {
    for (const wake of [...this.#waiting]) wake()
  }

  #error(code: 'ABORTED' | 'BAD_REPLY', key: 'images-closed' | 'images-unreadable', values = {}) {
    const { host, port, device, language } = this.#options.place
    return imagesError(
      { code, key, values },
      { device: device ?? host, address: `${host}:${port ?? ''}`, language: language ?? 'en-US' },
    )
  }
}

const mostStreams = 4 // open at a time; a device serves eight clients, and flows need theirs

const mostViews = 12 // views whose last picture is kept

/** Which picture to watch. */
export interface ViewPlace {
  place: ImageLinkOptions
  part: ViewPart
}

/** The views of one device, by pipeline and part. */
export class CameraViews {
  readonly #views = new Map<string, CameraView>()
  readonly #times: Pick<CameraViewOptions, 'patience' | 'linger' | 'keeps'>
  #leaving: Promise<unknown> = Promise.resolve()

  constructor(times: Pick<CameraViewOptions, 'patience' | 'linger' | 'keeps'> = {}) {
    this.#times = times
  }

  /** @throws VisionError `BUSY` if too many others are watched; why there is no picture */
  look({ place, part }: ViewPlace, options?: GlanceOptions): Promise<CameraGlance> {
    const key = `${place.port ?? ''} ${part}`
    return this.#view(key, place, part).look(options)
  }

  async close(): Promise<void> {
    const views = [...this.#views.values()]
    this.#views.clear()
    await Promise.all([this.#leaving, ...views.map((view) => view.close())])
  }

  #view(key: string, place: ImageLinkOptions, part: ViewPart): CameraView {
    const known = this.#views.get(key)
    const others = [...this.#views].filter(([, view]) => view !== known)
    if (!known?.isWatching && others.filter(([, view]) => view.isWatching).length >= mostStreams)
      throw imagesError(
        { code: 'BUSY', key: 'images-views', values: { limit: mostStreams } },
        {
          device: place.device ?? place.host,
          address: `${place.host}:${place.port ?? ''}`,
          language: place.language ?? 'en-US',
        },
      )
    if (known) return known
    const [idle] = others.find(([, view]) => !view.isWatching) ?? []
    if (others.length >= mostViews && idle) this.#forget(idle)
    const view = new CameraView({ place, part, ...this.#times, onForgotten: () => this.#forget(key) })
    this.#views.set(key, view)
    return view
  }

  #forget(key: string): void {
    const view = this.#views.get(key)
    this.#views.delete(key)
    this.#leaving = Promise.all([this.#leaving, view?.close()])
  }
}
