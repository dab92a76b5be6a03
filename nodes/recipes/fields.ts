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
    /** Of the parameters. */
    pipeline: {
      kind: 'number',
      default: 0,
      least: 0,
      most: 99,
      whole: true,
      unit: '1',
      icon: 'code-fork',
    },
    /** The number of a product, as the PLC sent it. */
    job: {
      kind: 'typed',
      default: 'payload.job',
      kinds: ['msg', 'num', 'flow', 'global', 'jsonata', 'env'],
      icon: 'hashtag',
    },
    /** Parameters by `node.parameter`, each with its heading, or one for each language. */
    columns: { kind: 'json', default: '{}', icon: 'columns', hint: true },
    /** The kind of region that the detection takes. */
    regions: { kind: 'choice', default: 'region', choices: ['region', 'region2d'], icon: 'square-o' },
    /** Arguments of the detection that are the same for all products. */
    args: { kind: 'json', default: '{}', icon: 'list-ul', hint: true },
    /** The table until it is changed on the page. */
    products: { kind: 'json', default: '[]', isList: true, icon: 'table', hint: true },
    language: pageLanguageField,
  },
} as const satisfies NodeDescription

export type RecipesFields = FieldsOf<typeof recipesNode>
export type RecipesTexts = Translated<typeof recipesNode, typeof en | typeof de>
