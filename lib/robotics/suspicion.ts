/** Something impossible or unlikely in a robot's numbers. Angles are in degrees, those of a rotation vector in radians. */
export type Suspicion = { severity: 'impossible' | 'suspicious' } & (
  | { kind: 'wrong-count'; expected: number; got: number }
  | { kind: 'not-a-number'; name: string }
  /** Beyond the reach of any robot; metres. */
  | { kind: 'too-far'; metres: number; limit: number; suspected?: 'millimetres-as-metres' }
  /** Within a few millimetres of the robot's base origin; metres as read. */
  | { kind: 'too-near'; metres: number; limit: number; suspected: 'metres-as-millimetres' }
  | { kind: 'quaternion-not-unit'; length: number }
  | { kind: 'angle-out-of-range'; name: string; value: number; min: number; max: number }
  /** More than a full turn; radians. */
  | { kind: 'rotation-vector-too-long'; length: number; limit: number; suspected: 'degrees-as-radians' }
  | { kind: 'angles-look-like-radians'; name: string; value: number }
  | { kind: 'not-a-rotation-matrix'; deviation: number; suspected?: 'row-by-row' }
)
