import type { Vector } from '../../lib/robotics/pose'
import type { Environment } from '../module'

export interface Pixel {
  x: number
  y: number
}

/** The projection of the camera of a pipeline: x to the right, y down, z ahead. */
export interface View {
  /** Width of the full image, px. */
  width: number
  height: number
  /** Focal length, px. */
  focal: number
  pixel: (point: Vector) => Pixel
  /** The direction of a pixel; one metre ahead. */
  ray: (pixel: Pixel) => Vector
  inImage: (point: Vector) => boolean
}

/** The projection from the camera's own parameters. */
export function viewOf({ module }: Pick<Environment, 'module'>): View {
  const values = module('camera')?.values?.() ?? {}
  const [width, height] = [Number(values.width), Number(values.height)]
  return viewWith(width, height, Number(values.focal) * width)
}

/** The projection with that horizontal field of view, degrees; unchanged without one. */
export function openedTo(opening: number | undefined, view: View): View {
  const { width, height } = view
  return opening === undefined
    ? view
    : viewWith(width, height, width / 2 / Math.tan((opening * Math.PI) / 360))
}

function viewWith(width: number, height: number, focal: number): View {
  const pixel = ({ x, y, z }: Vector) => ({ x: width / 2 + (focal * x) / z, y: height / 2 + (focal * y) / z })
  return {
    width,
    height,
    focal,
    pixel,
    ray: ({ x, y }) => ({ x: (x - width / 2) / focal, y: (y - height / 2) / focal, z: 1 }),
    inImage: (point) => {
      const { x, y } = pixel(point)
      return point.z > 0 && x >= 0 && x < width && y >= 0 && y < height
    },
  }
}
