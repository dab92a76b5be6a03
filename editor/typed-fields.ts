import { stored, text, type Dialog } from './dialog'
import { formKind } from './forms/form-field'

/**
 * Makes a TypedInput of every `<input data-kinds="str,msg,…">`. The chosen kind is stored in the field `<name>Type` if
 * the node has one; the first kind is the default.
 */
export function typedFields({ node, form, fields, input }: Dialog) {
  for (const field of fields) {
    const typed = input(field)
    const kinds = typed.attr('data-kinds')?.split(',')
    if (!kinds) continue
    const types = kinds.map((kind) => (kind === 'form' ? formKind() : kind))
    const typeField = `${field}Type` in node._def.defaults ? hiddenInput(`${field}Type`) : undefined
    typed.typedInput({ default: kinds[0], types: types as never, typeField })
    // A TypedInput moves the visible text to an input of its own, so the label must refer to that one.
    const id = `${typed.attr('id') ?? ''}-text`
    typed.next('.red-ui-typedInput-container').find('.red-ui-typedInput-input').attr('id', id)
    form.find(`label[for="${typed.attr('id') ?? ''}"]`).attr('for', id)
  }

  function hiddenInput(field: string) {
    const id = (input('name').attr('id') ?? '').replace(/name$/, field)
    return $('<input type="hidden">')
      .attr('id', id)
      .val(text(stored(node, field)))
      .appendTo(form)
  }
}
