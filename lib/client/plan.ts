import { operation as operationOf, type Operation, type OperationId } from '../contract'
import { inputCheck, resultCheck } from './check'
import { pathBuilder } from './request-path'

/**
 * How a call may be repeated.
 * - `read`: always.
 * - `settled`: a write that may be repeated, because reading back shows whether it took effect.
 * - `once`: only if nothing was sent or the device answered 429.
 */
export type Repeat = 'read' | 'settled' | 'once'

/** What is computed once per operation, for all clients. */
export interface Plan {
  id: OperationId
  operation: Operation
  repeat: Repeat
  takesInput: boolean
  checkInput: ReturnType<typeof inputCheck>
  checkResult: ReturnType<typeof resultCheck>
  pathFrom: (input: Record<string, unknown>) => string
  /** Whether the answer to this input is plain text. */
  isText: (input: Record<string, unknown>) => boolean
  /** Whether the answer to this input is a file. */
  isFile: (input: Record<string, unknown>) => boolean
  queryFields: readonly string[]
  bodyFields: readonly string[]
}

const plans = new Map<OperationId, Plan>()

export function planOf(id: OperationId): Plan {
  const known = plans.get(id)
  if (known) return known
  const operation = operationOf(id)
  const { params, query, body, path, method, readBack } = operation
  const plan: Plan = {
    id,
    operation,
    repeat: method === 'GET' ? 'read' : readBack ? 'settled' : 'once',
    takesInput: Boolean(params ?? query ?? body),
    checkInput: inputCheck(operation),
    checkResult: resultCheck(operation),
    pathFrom: pathBuilder(path),
    isText: textTest(operation),
    isFile: ({ format }) => operation.offersFile === true && format === 'file',
    queryFields: Object.keys(query ?? {}),
    bodyFields: Object.keys(body?.fields ?? {}),
  }
  plans.set(id, plan)
  return plan
}

function textTest({ textWhen }: Operation): Plan['isText'] {
  if (!textWhen) return () => false
  const wanted = Object.entries(textWhen)
  return (input) => wanted.every(([field, value]) => input[field] === value)
}
