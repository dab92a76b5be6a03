import type { Environment } from '../module'
import type { ParameterValue } from '../parameter'

/** Value of a parameter that only some kinds of sensor have. */
export const optionalParameter = (
  { module, parameter }: Pick<Environment, 'module' | 'parameter'>,
  moduleName: string,
  name: string,
): ParameterValue | undefined =>
  module(moduleName)?.parameters.some((each) => each.name === name) ? parameter(moduleName, name) : undefined
