import { returnCode, type ServiceCall, type ServiceDefinition } from '../module'
import { InvalidArgument } from '../services/invalid-argument'
import { codeOf, type Remark } from '../services/remarks'
import { ServiceFailure } from './service-failure'
import type { Shape } from '../../lib/contract'

type Fields = Record<string, unknown>

/**
 * A service whose answer always has all its fields and a return code: -1 if `answer` throws an InvalidArgument, the
 * code of a ServiceFailure, otherwise that of the remarks, unless the answer has a code of its own.
 */
export function answering({
  answer,
  ...definition
}: Omit<ServiceDefinition, 'call'> & {
  answer: (call: ServiceCall, remark: (value: number, message: string) => void) => Fields | undefined
}): ServiceDefinition {
  const empty = emptyOf(definition.response) as Fields
  return {
    ...definition,
    call: (call) => {
      const remarks: Remark[] = []
      try {
        const fields = answer(call, (value, message) => remarks.push({ value, message }))
        return { ...empty, ...codeOf(remarks), ...fields }
      } catch (error) {
        return { ...empty, ...failed(error) }
      }
    },
  }
}

function failed(error: unknown): Fields {
  if (error instanceof InvalidArgument) return returnCode(-1, error.message)
  if (error instanceof ServiceFailure) return returnCode(error.returnCode, error.message)
  throw error
}

/** An empty value of that shape, so that an answer has all its fields. */
function emptyOf(shape: Shape): unknown {
  if (Array.isArray(shape)) return []
  if (typeof shape === 'object')
    return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, emptyOf(field)]))
  if (shape === 'string') return ''
  return shape === 'bool' ? false : 0
}
