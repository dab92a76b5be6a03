import { choices, parameterUnit } from '../../lib/contract/reading/values'
import type { Parameter } from '../../lib/contract'
import {
  highestJob,
  longestText,
  type Recipe,
  type RecipeValue,
  type RecipeTable,
} from '../../lib/recipes/recipes'
import { currentLanguage } from '../shared/node-error'
import { labelOf, type Column, type DeviceOffer } from './columns'
import { sentencesOf } from '../sentences'

const { say } = sentencesOf('recipes')

export interface PageState {
  table: RecipeTable | undefined
  columns: readonly Column[]
  /** Undefined while the device does not answer. */
  offer: DeviceOffer | undefined
  /** Why the page is read-only, or no recipe is used. */
  trouble: string
  called: number | undefined
  mayEdit: boolean
}

export interface Notice {
  by: string
  text: string
  isRefused: boolean
}

/** In the current language. */
export function recipePage({ table, columns, offer, trouble, called, mayEdit }: PageState, notice?: Notice) {
  const recipes = table?.recipes ?? []
  return {
    revision: table?.revision ?? 0,
    texts: texts(),
    limits: { job: highestJob, text: longestText },
    columns: columns.map((column) => pageColumn(column, offer?.records.get(column.key))),
    recipes: recipes.map((recipe) => ({
      ...recipe,
      shown: shownValues(recipe, columns, offer),
      isCalled: recipe.job === called,
    })),
    regions: offer?.regions ?? [],
    grippers: offer?.grippers ?? [],
    isReady: offer !== undefined && table !== undefined,
    trouble,
    mayEdit,
    undo: undoLabel(table),
    ...(notice && { notice }),
  }
}

const pageTexts = [
  'job',
  'name',
  'region',
  'gripper',
  'none',
  'yes',
  'no',
  'empty',
  'called',
  'away',
  'readOnly',
  'add',
  'change',
  'copy',
  'delete',
  'reallyDelete',
  'save',
  'cancel',
  'present',
] as const

const texts = () => Object.fromEntries(pageTexts.map((key) => [key, say(`page-${key}`)]))

function pageColumn(column: Column, record: Parameter | undefined) {
  const { key } = column
  const label = labelOf(column)
  if (!record) return { key, label, input: 'text' as const, hint: '' }
  const allowed = choices(record)
  const { type, value } = record
  const isNumber = /int|float/.test(type)
  const input = type === 'bool' ? 'switch' : allowed ? 'choice' : isNumber ? 'number' : 'text'
  return {
    ...{ key, label, input, present: value as RecipeValue },
    ...(allowed && { choices: allowed }),
    hint: isNumber ? rangeOf(record) : '',
  }
}

/** `0.01 to 18 ms` */
function rangeOf(record: Parameter): string {
  const { min, max } = record
  const unit = parameterUnit(record)
  if (typeof min !== 'number' || typeof max !== 'number') return unit
  return say('page-range', { least: written(min), most: written(max), unit }).trim()
}

const shownValues = ({ values }: Recipe, columns: readonly Column[], offer: DeviceOffer | undefined) =>
  Object.fromEntries(
    columns.map(({ key }) => {
      const value = Object.hasOwn(values, key) ? values[key] : undefined
      const record = offer?.records.get(key)
      return [key, shownValue(value, record ? parameterUnit(record) : '')]
    }),
  )

function shownValue(value: RecipeValue | undefined, unit: string): string {
  if (value === undefined) return say('page-empty')
  if (typeof value === 'boolean') return say(value ? 'page-yes' : 'page-no')
  return typeof value === 'number' ? `${written(value)} ${unit}`.trim() : value
}

const written = (value: number) => value.toLocaleString(currentLanguage(), { maximumSignificantDigits: 6 })

/** Empty: nothing to undo. */
function undoLabel(table: RecipeTable | undefined): string {
  if (!table?.before) return ''
  const { change, isUndone } = table.before
  const { what, name } = change
  return say(isUndone ? 'page-redo' : 'page-undo', { change: say(`page-${what}`, { name }) })
}
