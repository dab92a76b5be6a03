import type { LengthUnit, PoseFormat, PoseFormatId } from '../../robotics/pose-formats'

/** What a robot is told, in its own numbers. */
export interface RobotAnswer {
  /** 0: there is what was asked for. */
  code: number
  /** Poses that are left, this one included. */
  count: number
  /** Of this pose, as the module of the device rates it; 0 where it does not. */
  score: number
  /** The pose in the order and the units of the format; undefined: none, which is written as zeros. */
  numbers?: readonly number[]
}

/** How poses are written in answers and requests. */
export interface RobotNumbers {
  format: PoseFormat
  length: LengthUnit
}

export const lineEnds = { lf: '\n', crlf: '\r\n', cr: '\r', none: '' } as const
/** What ends an answer. */
export type LineEnd = keyof typeof lineEnds

/** How one make of robot reads and writes text. */
export interface Way {
  /** The usual format of its poses. */
  format: PoseFormatId
  /** What usually ends an answer. */
  end: LineEnd
  /** What its requests are. */
  requests: 'text' | 'xml'
  /** Characters that an answer may have, its end included: what the controller can read at once. */
  longest: number
  /** @param end of the answer, as characters @throws RangeError for an answer longer than `longest` */
  write: (answer: RobotAnswer, numbers: RobotNumbers, end: string) => string
}
