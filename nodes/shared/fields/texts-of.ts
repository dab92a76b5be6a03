import type { ChoiceField, Field, NodeDescription } from './description'
import type de from './words/de.json'
import type en from './words/en-US.json'
import type { RecordForm, RecordList, RecordRow } from './record-form'

/** Texts shared by all nodes: words of the help, and the texts of fields that many nodes have, by field name. */
export type SharedTexts = typeof en & typeof de

/** The names of fields with a shared text of this kind; a node may override it. */
type SharedText<Kind extends string> = {
  [Name in keyof SharedTexts['fields']]: SharedTexts['fields'][Name] extends Record<Kind, string>
    ? Name
    : never
}[keyof SharedTexts['fields']]

type Fields = Readonly<Record<string, Field>>

/** The texts of one kind, if there are any. */
type TextGroup<Key extends string, Names extends string> = [Names] extends [never]
  ? unknown
  : Record<Key, Record<Names, string>>

/** The names of the fields that have this property. */
type FieldsHaving<Of extends Fields, Something> = {
  [Name in keyof Of & string]: Of[Name] extends Something ? Name : never
}[keyof Of & string]

type HintKeys<Of extends Fields> =
  | FieldsHaving<Of, { hint: true }>
  | {
      [Name in keyof Of]: Of[Name] extends { hint: infer Hints }
        ? Hints extends true
          ? never
          : keyof Hints & string
        : never
    }[keyof Of]

type SectionKeys<Of extends Fields> = {
  [Name in keyof Of]: Of[Name] extends { section: infer Section extends string } ? Section : never
}[keyof Of]

type ChoiceKey<Choice> = Choice extends '' ? 'empty' : Choice & string

/** The choices whose labels are in the node's own texts. */
type ChoiceTexts<Of extends Fields> = {
  [
    Name in keyof Of & string as Of[Name] extends ChoiceField
      ? Of[Name] extends { labels: { node: string } }
        ? never
        : Of[Name] extends { labels: { key: infer Key extends string } }
          ? Key
          : Name
      : never
  ]: Of[Name] extends { choices: readonly (infer Choice)[] } ? Record<ChoiceKey<Choice>, string> : never
}

type RowsIn<Of extends Fields> = {
  [Name in keyof Of]: Of[Name] extends { forms: readonly (infer Form)[] }
    ? Form extends RecordForm
      ? RowsOf<Form['rows'][number]>
      : never
    : never
}[keyof Of]
type RowsOf<Row extends RecordRow> = Row | (Row extends RecordList ? Row['rows'][number] : never)

type RecordLabels<Row> = Row extends { label: infer Label extends string }
  ? Label
  : Row extends { add: infer Label extends string }
    ? Label
    : never
type RecordChoices<Row> = Row extends { choices: readonly (infer Choice extends string)[] } ? Choice : never
type RecordPlaceholders<Row> = Row extends { placeholder: infer Key extends string } ? Key : never

type PortKeys<Description> = Description extends {
  inputs: infer Inputs
  outputs: readonly (infer Output extends string)[]
}
  ? Output | (Inputs extends 1 ? 'input' : never)
  : never

/** The texts that the dialog of a node needs in every language; `dialog.ts` may need more. */
export type TextsOf<Description extends NodeDescription, Of extends Fields = Description['fields']> = {
  paletteLabel: string
} & TextGroup<
  'label',
  Exclude<keyof Of & string, FieldsHaving<Of, { kind: 'record' }> | SharedText<'label'>>
> &
  TextGroup<
    'placeholder',
    | Exclude<FieldsHaving<Of, { placeholder: true }>, SharedText<'placeholder'>>
    | RecordPlaceholders<RowsIn<Of>>
    | (Description extends { namePlaceholder: true } ? 'name' : never)
  > &
  TextGroup<'hint', Exclude<HintKeys<Of>, SharedText<'hint'>>> &
  TextGroup<'unit', Exclude<FieldsHaving<Of, { unitText: true }>, SharedText<'unit'>>> &
  TextGroup<'reason', FieldsHaving<Of, { pattern: string }>> &
  TextGroup<'section', SectionKeys<Of>> &
  TextGroup<'port', PortKeys<Description>> &
  TextGroup<'form', RecordLabels<RowsIn<Of>>> &
  TextGroup<'choice', RecordChoices<RowsIn<Of>>> &
  ChoiceTexts<Of>

/**
 * Does not compile if a language lacks a text of the node; `Catalogs` are its JSON files.
 *
 * export type GetParameterTexts = Translated<typeof getParameterNode, typeof en | typeof de>
 */
export type Translated<
  Description extends NodeDescription,
  Catalogs extends Record<Description['type'], TextsOf<Description>>,
> = Catalogs
