/**
 * Draws the results of a service over a picture. In: an answer and a camera. Out: SVG text. Draws nothing that it does
 * not recognise.
 */
export { pixelOf, type OverlayCamera, type Pixel, gridCorners, type OverlayGrid } from './overlay'
export { escaped, svgDataUrl, type OverlayTheme } from './overlay'
export {
  foundIn,
  type Found,
  type FoundKind,
  type FoundRegion,
  type FoundThing,
  type Figure,
  overlayOf,
  type Overlay,
  type OverlayOptions,
} from './overlay'
