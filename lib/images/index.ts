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
export type { Box } from './cloud/box'
export type { Cloud } from './cloud/cloud'
export { cloudOf, type CloudOptions } from './cloud/cloud-of'
export { plyOf, type PlyKind } from './cloud/ply'
export { colouredDepth, type DepthRange } from './depth/coloured'
export { depthOf, millimetresOf, pointAt, type Depth } from './depth/depth'
export type { Camera, Disparity } from './depth/disparity'
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
export { pictureNow, type PictureNowOptions } from './picture-now'
export type { Pixels } from './picture/pixels'
export { dataUrlOf, pngOf } from './picture/png'
export { inSingleFrame } from './single-frame'
export type {
  Arrival,
  ImageEvent,
  ImageLink,
  ImageLinkOptions,
  ImageLinkState,
  ImageSet,
  ImageStreamOptions,
} from './types'
export { CameraViews, type ViewPlace } from './view/camera-views'
export type { CameraGlance, CameraViewOptions, GlanceOptions } from './view/camera-view'
export { viewParts, type ViewedPicture, type ViewPart } from './view/viewed-picture'
