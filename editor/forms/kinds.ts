import type { Leaf } from '../../lib/contract/reading/form/form-shape'
import { numberIn } from '../quantity/number-in'
import { sharedText } from '../shared-text'
import { referenceKinds } from '../../lib/contract/reading/form/reference'

/** A kind of Node-RED's typed input: a built-in name, or a definition. */
export type InputKind = string | KindDefinition

interface KindDefinition {
  value: string
  label: string
  icon?: string
  hasValue?: boolean
  validate?: (text: string) => boolean
  /** Draws the control; called again whenever the value is set from outside. */
  valueLabel?: (this: TypedInput, container: JQuery, value: string) => void
}

interface TypedInput {
  input: JQuery
}

export const isNumeric = (type: string) => /^(u?int\d+|float\d+|integer|number)$/.test(type)

/** The kinds of a field: first those that fit its type, then all other sources of a value. */
export const kindsOf = (leaf: Leaf, name: string): InputKind[] => [
  ...fixedKinds(leaf, name),
  ...referenceKinds,
]

/** The kinds of a fixed value that fit. */
export function fixedKinds(leaf: Leaf, name: string): InputKind[] {
  const { type, choices, required } = leaf
  if (type === 'bool') return [required ? switched(name) : chosen('bool', name, ['true', 'false'], leaf)]
  if (choices) return [chosen('str', name, choices, leaf)]
  if (type === 'string' || type === 'file') return ['str']
  if (isNumeric(type)) return [numberKind(leaf.unit)]
  return type === 'json' ? ['json'] : ['str', numberKind(), 'bool', 'json']
}

/** A number, which may be typed with a unit or a decimal comma. */
export const numberKind = (unit = ''): InputKind => ({
  value: 'num',
  label: RED._('typedInput.type.num'),
  icon: 'red/images/typedInput/09.svg',
  validate: (text) => text === '' || 'value' in numberIn(text, unit),
})

export const kindName = (kind: InputKind) => (typeof kind === 'string' ? kind : kind.value)

/** `on` or `off`. */
const switched = (name: string): InputKind => ({
  value: 'bool',
  label: sharedText('form.switch'),
  icon: 'red/images/typedInput/bool.svg',
  valueLabel(container, value) {
    const { input } = this
    if (value !== 'true') input.val('false')
    const box = $('<input type="checkbox" role="switch">').attr('aria-label', name)
    const state = $('<span aria-hidden="true">')
    const show = () => state.text(sharedText(box.prop('checked') ? 'form.on' : 'form.off'))
    box.prop('checked', value === 'true').on('change', (event) => {
      // The typed input announces the change itself once it has the new value.
      event.stopPropagation()
      show()
      input.val(String(box.prop('checked'))).trigger('change')
    })
    show()
    container.append($('<label class="vision-switch">').append(box, state))
  },
})

/** One of several texts; a stored value outside them is kept and shown. */
const chosen = (
  kind: 'str' | 'bool',
  name: string,
  choices: readonly string[],
  { required }: Leaf,
): InputKind => ({
  value: kind,
  label: sharedText(kind === 'bool' ? 'form.switch' : 'form.choice'),
  icon: `red/images/typedInput/${kind === 'bool' ? 'bool' : 'az'}.svg`,
  valueLabel(container, value) {
    const { input } = this
    const offered = new Set([...(required && value !== '' ? [] : ['']), value, ...choices])
    const texts: Record<string, string> = {
      '': required ? '' : sharedText('form.notSent'),
      ...(kind === 'bool' && { true: sharedText('form.on'), false: sharedText('form.off') }),
    }
    const select = $('<select>')
      .attr('aria-label', name)
      .append(
        [...offered].map((choice) =>
          $('<option>')
            .val(choice)
            .text(texts[choice] ?? choice),
        ),
      )
      .val(value)
      .on('change', (event) => {
        event.stopPropagation()
        input.val(String(select.val())).trigger('change')
      })
    container.append(select)
  },
})
