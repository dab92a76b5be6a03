import type { Parameter } from '../schemas/parameter'

/**
 * The unit of a parameter, which the device writes at the end of its description: `Delivered frame rate (Hz)`. Empty if
 * there is none.
 */
export const parameterUnit = ({ description }: Pick<Parameter, 'description'>): string =>
  /\(([^()\s]{1,8})\)\.?(?::|$)/.exec(description)?.[1] ?? ''
