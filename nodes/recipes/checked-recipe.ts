import { VisionError } from '../../lib/client/vision-error'
import { highestJob, isJob, longestText, type Recipe, type RecipeValue } from '../../lib/recipes/recipe'
import { acceptedValue } from '../set-parameter/write-nodes'
import { asType } from '../shared/read-fields'
import { isObject } from '../shared/is-object'
import { spoken } from '../shared/node-error'
import { shown } from '../shared/shown'
import { labelOf, type Column } from './columns'
import type { DeviceOffer } from './device-offer'
import { sentencesOf } from '../sentences'

const { invalidInput, nodeError } = sentencesOf('recipes')

/**
 * The recipe that a page sent, in the device's types, checked against what the device has.
 * @throws INVALID_INPUT naming what cannot be taken; UNREACHABLE if the device was not asked
 */
export function checkedRecipe(
  given: unknown,
  columns: readonly Column[],
  offer: DeviceOffer | undefined,
): Recipe {
  if (!offer) throw nodeError('UNREACHABLE', 'not-checked')
  const {
    job: number,
    name,
    region,
    gripper,
    values,
  } = Object(given) as Partial<Record<keyof Recipe, unknown>>
  const job = asType('int64', number)
  if (!isJob(job)) throw invalidInput('bad-job', { value: shown(number), most: highestJob })
  return {
    job,
    name: nameIn(name),
    region: idIn('unknown-region', region, offer.regions),
    gripper: idIn('unknown-gripper', gripper, offer.grippers),
    values: checkedValues(isObject(values) ? values : {}, columns, offer),
  }
}

/** The values of all columns. @throws INVALID_INPUT naming the column */
function checkedValues(
  given: Readonly<Record<string, unknown>>,
  columns: readonly Column[],
  { records }: DeviceOffer,
): Record<string, RecipeValue> {
  const entries = columns.flatMap((column): [string, RecipeValue][] => {
    const { key } = column
    const record = records.get(key)
    const value = Object.hasOwn(given, key) ? given[key] : undefined
    if (!record) return []
    if (value === undefined || value === null || (value === '' && record.type !== 'string'))
      throw invalidInput('no-value', { label: labelOf(column) })
    if (typeof value === 'string' && value.length > longestText)
      throw invalidInput('value-too-long', { label: labelOf(column), most: longestText })
    try {
      return [[key, acceptedValue(record, value) as RecipeValue]]
    } catch (error) {
      if (!(error instanceof VisionError)) throw error
      throw invalidInput('bad-value', { label: labelOf(column), problem: error.inLanguage(spoken()) })
    }
  })
  return Object.fromEntries(entries)
}

function nameIn(given: unknown): string {
  const name = typeof given === 'string' ? given.trim() : ''
  if (!name || name.length > longestText) throw invalidInput('bad-name', { most: longestText })
  return name
}

function idIn(key: 'unknown-region' | 'unknown-gripper', given: unknown, known: readonly string[]): string {
  if (given === undefined || given === null || given === '') return ''
  if (typeof given === 'string' && known.includes(given)) return given
  throw invalidInput(key, { id: shown(given), known: known.join(', ') || '–' })
}
