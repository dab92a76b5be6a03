import { imagesError } from '../status-failure'
import type { ImageLinkOptions } from '../types'
import { CameraView, type CameraGlance, type CameraViewOptions, type GlanceOptions } from './camera-view'
import type { ViewPart } from './viewed-picture'

/** Streams that are open at a time; a device serves eight clients, and flows need theirs. */
const mostStreams = 4
/** Views whose last picture is kept. */
const mostViews = 12

/** Which picture to look at. */
export interface ViewPlace {
  /** Where the pipeline's images are. */
  place: ImageLinkOptions
  part: ViewPart
}

/** What people look at on one device: a view for each pipeline and part. */
export class CameraViews {
  readonly #views = new Map<string, CameraView>()
  readonly #times: Pick<CameraViewOptions, 'patience' | 'linger' | 'keeps'>
  #leaving: Promise<unknown> = Promise.resolve()

  constructor(times: Pick<CameraViewOptions, 'patience' | 'linger' | 'keeps'> = {}) {
    this.#times = times
  }

  /** @throws VisionError `BUSY` if too many others are looked at; why there is no picture */
  look({ place, part }: ViewPlace, options?: GlanceOptions): Promise<CameraGlance> {
    const key = `${place.port ?? ''} ${part}`
    return this.#view(key, place, part).look(options)
  }

  /** Resolves when nothing is left. */
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
