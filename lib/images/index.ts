/**
 * Receives images: the stream, its events, one picture on demand; rendering for people; `grid/` finds the calibration
 * grid. In: the address of an image service. Out: sets of images in device or host buffers. Knows nothing of Node-RED.
 */
export {
  Acquisition,
  type Acquired,
  type AcquisitionOptions,
  type AcquisitionSteps,
  type Doubt,
  type TakenBy,
} from './acquisition'
export type {
  DisparityImage,
  Gpios,
  Image,
  Mesh,
  MeshOptions,
  PrincipalPoint,
  WantedImages,
} from '../codec/images/codec'
export type { Box } from './cloud'
export type { Cloud } from './cloud'
export { cloudOf, type CloudOptions } from './cloud'
export { plyOf, type PlyKind } from './cloud'
export { colouredDepth, type DepthRange } from './depth'
export { depthOf, millimetresOf, pointAt, type Depth } from './depth'
export type { Camera, Disparity } from './depth'
export {
  findGrid,
  gridPattern,
  type GridMiss,
  type GridPattern,
  type GridSearchOptions,
  type PoseUncertainty,
  type SeenGrid,
} from './grid'
export { openImageEvents, openImages } from './open'
export { pictureNow, type PictureNowOptions } from './open'
export type { Pixels } from './picture'
export { dataUrlOf, pngOf } from './picture'
export { inSingleFrame } from './open'
export type {
  Arrival,
  ImageEvent,
  ImageLink,
  ImageLinkOptions,
  ImageLinkState,
  ImageSet,
  ImageStreamOptions,
} from './options'
export { CameraViews, type ViewPlace } from './camera-view'
export type { CameraGlance, CameraViewOptions, GlanceOptions } from './camera-view'
export { viewParts, type ViewedPicture, type ViewPart } from './camera-view'
