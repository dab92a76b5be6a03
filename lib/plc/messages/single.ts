import { propertiesOf, type Reading } from './message'

/** One value under its name as topic. */
export function single(message: object, wanted: readonly string[]): Reading | undefined {
  const { topic, payload } = propertiesOf(message)
  if (typeof topic !== 'string' || !wanted.includes(topic)) return undefined
  return payload === undefined || payload === null
    ? undefined
    : { values: new Map([[topic, payload]]), complete: false }
}
