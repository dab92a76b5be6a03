import type { GlanceOrder } from '../picture-order'
import { Album } from '../render/album'
import { bitmap, depthColours, greys } from '../render/bitmap'
import { depthSteps } from '../render/depth-steps'
import type { ImageSetRequest } from '../wire/request'

const nothing: ImageSetRequest = {
  left: false,
  right: false,
  disparity: false,
  error: false,
  confidence: false,
  mesh: false,
  color: false,
  meshOptions: { maxPoints: 0, nearest: false, watertight: false, textured: false },
}

/** Draws pictures for the device's own page. Has albums of its own: those of the streams have other sizes. */
export class Viewfinder {
  private readonly albums = new Map<string, Album>()

  /** A BMP file. */
  picture({ part, order, stage }: GlanceOrder): Uint8Array {
    const album = this.albums.get(order.pipeline) ?? new Album()
    this.albums.set(order.pipeline, album)
    if (stage) album.show(stage)
    const take = album.take(order)
    if (part === 'left') {
      const { left } = take({ ...nothing, left: true })
      return bitmap(left?.data ?? new Uint8Array(), order.camera, greys)
    }
    if (part === 'confidence') {
      const { confidence } = take({ ...nothing, confidence: true })
      return bitmap(confidence?.data ?? new Uint8Array(), order.depth, greys)
    }
    const { disparity } = take({ ...nothing, disparity: true })
    return bitmap(depthSteps(disparity?.data ?? new Uint8Array()), order.depth, depthColours)
  }
}
