/** To so many digits behind the point. Adding 0 turns -0 into 0. */
export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits)) + 0
