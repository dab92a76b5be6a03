import { pageLanguageField } from '../operator/page-fields'
import { deviceField, type NodeDescription } from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/recipes.json'
import type en from './locales/en-US/recipes.json'

export const recipesNode = {
  type: 'recipes',
  group: 'cell',
  icon: 'vision-recipes.svg',
  inputs: 1,
  changes: 'some',
  outputs: ['recipe', 'page'],
  fields: {
    device: deviceField,
    pipeline: {
      kind: 'number',
      default: 0,
      least: 0,
      most: 99,
      whole: true,
      unit: '1',
      icon: 'code-fork',
    },
    job: {
      kind: 'typed',
      default: 'payload.job',
      kinds: ['msg', 'num', 'flow', 'global', 'jsonata', 'env'],
      icon: 'hashtag',
    },
    /** By `node.parameter`: heading, or one per language. */
    columns: { kind: 'json', default: '{}', icon: 'columns', hint: true },
    regions: { kind: 'choice', default: 'region', choices: ['region', 'region2d'], icon: 'square-o' },
    /** Detection arguments common to all products. */
    args: { kind: 'json', default: '{}', icon: 'list-ul', hint: true },
    products: { kind: 'json', default: '[]', isList: true, icon: 'table', hint: true },
    language: pageLanguageField,
  },
} as const satisfies NodeDescription

export type RecipesFields = FieldsOf<typeof recipesNode>
export type RecipesTexts = Translated<typeof recipesNode, typeof en | typeof de>
