import type { Matching } from './render/disparity'
import type { Exposure } from './render/exposed'
import type { Stage } from './stage/stage'
import type { Taking } from './wire/image-set'

/** Everything that a picture needs besides the stage, as plain data for the thread that draws it. */
export interface PictureOrder {
  pipeline: string
  /** A picture for those who want depth, or for those who want camera images only. */
  of: 'camera' | 'depth'
  /** One that was triggered is sent to everybody, others only to those who have read the ones before. */
  triggered: boolean
  taking: Taking
  exposure: Omit<Exposure, 'seed'>
  /** Size of the camera's images, and focal length divided by the width. */
  camera: { width: number; height: number; focal: number }
  /** Size of the depth image, and what it is computed with. */
  depth: { width: number; height: number } & Omit<Matching, 'seed'>
  seed: number
}

/** What a person can look at on the device's own page. */
export const glanceParts = ['left', 'depth', 'confidence'] as const
/** One of `glanceParts`. */
export type GlancePart = (typeof glanceParts)[number]

/** A picture for a person who looks at the device's own page. */
export interface GlanceOrder {
  part: GlancePart
  order: PictureOrder
  /** What stands before the camera, if it has changed since the last order for this pipeline. */
  stage?: Stage
}

/** Why the service answers otherwise than usual. */
export interface ServiceState {
  /** Whether the modules run. */
  ready: boolean
  /** Names of the pipelines, with the licence components that their images lack. */
  pipelines: Readonly<Record<string, { images?: string; depth?: string }>>
  /** From the scenario. */
  stream: 'ok' | 'refused' | 'cut' | 'closed'
  /** Milliseconds by which each set is late. */
  delay: number
  /** Share of sets that are not sent, 0 to 1. */
  drop: number
}
