import { renderJson } from '../codec/json'
import type { Parameter } from '../contract'

type Input = Record<string, unknown>

/** The input of the operation that reads back what a parameter write changes. */
export function readBackInput({ pipeline, node, param, parameters }: Input): Input {
  if (!Array.isArray(parameters)) return { pipeline, node, param }
  return { pipeline, node, name: [...wantedValues({ parameters }).keys()] }
}

/** Whether every parameter has the value that the write sets. */
export function tookEffect(input: Input, result: unknown): boolean {
  return [...wantedValues(input)].every(([name, wanted]) => {
    const record = recordOf(name, result)
    return record !== undefined && isSame(record.value, wanted, record.type)
  })
}

/** The device's values that differ from those of the write, in a form for comparing two read-backs. */
export function foundValues(input: Input, result: unknown): string {
  return renderJson([...wantedValues(input).keys()].map((name) => recordOf(name, result)?.value ?? null))
}

function recordOf(name: unknown, result: unknown): Parameter | undefined {
  const records = (Array.isArray(result) ? result : [result]) as Parameter[]
  return records.find((one) => one.name === name)
}

/** If a name is written twice, the device keeps the last value. */
function wantedValues({ param, value, parameters }: Input): Map<unknown, unknown> {
  if (!Array.isArray(parameters)) return new Map([[param, value]])
  return new Map((parameters as Parameter[]).map((one) => [one.name, one.value]))
}

const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint'

function isSame(kept: unknown, wanted: unknown, type: string): boolean {
  if (isNumber(kept) && isNumber(wanted)) {
    // A float32 returns 0.1 as 0.10000000149011612, which is the same number in that type.
    return type === 'float32'
      ? Math.fround(Number(kept)) === Math.fround(Number(wanted))
      : Number(kept) === Number(wanted)
  }
  return kept === wanted || renderJson(kept) === renderJson(wanted)
}
