/** One number for each joint, or position and rotation vector of a pose. */
export type Six = [number, number, number, number, number, number]

/** Six numbers from their index. */
export const six = (of: (index: number) => number): Six => [of(0), of(1), of(2), of(3), of(4), of(5)]

export const zeros = (): Six => [0, 0, 0, 0, 0, 0]

/** One of six numbers by an index that is known to be valid. */
export const at = (numbers: Readonly<Six>, index: number): number => numbers[index] as number
