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
} from '../codec/images'
export { openImageEvents, openImages } from './open'
export type {
  Arrival,
  ImageEvent,
  ImageLink,
  ImageLinkOptions,
  ImageLinkState,
  ImageSet,
  ImageStreamOptions,
} from './types'
