/** Something about a robot's numbers that cannot be, or hardly. Angles and lengths in the units of the format. */
export type Suspicion = { severity: 'impossible' | 'suspicious' } & (
  | { kind: 'wrong-count'; expected: number; got: number }
  | { kind: 'not-a-number'; name: string }
  /** Beyond every robot's reach; metres. */
  | { kind: 'too-far'; metres: number; limit: number; suspected?: 'millimetres-as-metres' }
  /** Within a few millimetres of the robot's foot; metres as read. */
  | { kind: 'too-near'; metres: number; limit: number; suspected: 'metres-as-millimetres' }
  | { kind: 'quaternion-not-unit'; length: number }
  | { kind: 'angle-out-of-range'; name: string; value: number; min: number; max: number }
  /** Longer than a whole turn; radians as read. */
  | { kind: 'rotation-vector-too-long'; length: number; limit: number; suspected: 'degrees-as-radians' }
  | { kind: 'angles-look-like-radians'; name: string; value: number }
  | { kind: 'not-a-rotation-matrix'; deviation: number; suspected?: 'row-by-row' }
)
