export type { Client, Methods } from './client/create-client'
export { createClient } from './client/create-client'
export type { Login } from './client/secrets'
export type { CallOptions, ClientOptions, Tls } from './client/options'
export { refusal, refusedError, type Refusal } from './client/error-answer'
export { isVisionError, VisionError, type Cause } from './client/vision-error'
export {
  errorCodes,
  operationIds,
  type ErrorCode,
  type Input,
  type OperationId,
  type Operations,
  type Result,
} from './contract'
export * as calibration from './calibration'
export * as firmware from './firmware'
export * as images from './images'
export * as logs from './logs'
export * as overlay from './overlay'
export * as plots from './plots'
export * as robotics from './robotics'
export * as streams from './streams'
export * as system from './system'
