import { accessibleTyped } from '../accessible'
import { sharedText } from '../shared-text'
import { jsonIn, referenceReason } from './leaf-reason'
import { kindOf, perKind, textOf } from './per-kind'
import {
  isReferenceKind,
  reference,
  referenceIn,
  referenceKinds,
} from '../../lib/contract/reading/form/reference'

/** How a group or list is given as a whole: in the fields below it, by reference, or as JSON. */
export interface WholeValue {
  element: JQuery
  isParts: () => boolean
  /** The value if it is not given in its parts. */
  read: () => unknown
  reason: () => string | undefined
}

interface Options {
  path: string
  value: unknown
  /** Menu text for the fields below. */
  text: string
  /** Whether the fields below can show the value. */
  fits: boolean
  changed: () => void
}

export function whole(place: JQuery, { path, value, text, fits, changed }: Options): WholeValue {
  const from = referenceIn(value)
  const kind = from?.kind ?? (fits ? 'parts' : 'json')
  const element = $('<input type="text" style="width: 100%">')
    .val(from?.text ?? (fits ? '' : JSON.stringify(value)))
    .appendTo(place)
  const parts = { value: 'parts', label: text, hasValue: false }
  element.typedInput({ default: kind, types: [parts, ...referenceKinds, 'json'] as never })
  perKind(element, () => undefined)
  const container = element.next('.red-ui-typedInput-container')
  accessibleTyped(container, path)
  container.find('.red-ui-typedInput-input').attr('aria-label', path)
  element.on('change keyup paste', changed)

  return {
    element,
    isParts: () => kindOf(element) === 'parts',
    read: () => {
      const now = kindOf(element)
      const given = textOf(element)
      if (isReferenceKind(now)) return reference(now, given)
      return given === '' ? undefined : (jsonIn(given) ?? given)
    },
    reason: () => {
      const now = kindOf(element)
      const given = textOf(element)
      if (isReferenceKind(now)) return referenceReason(now, given)
      return now === 'json' && given !== '' && jsonIn(given) === undefined
        ? sharedText('reason.json')
        : undefined
    },
  }
}
