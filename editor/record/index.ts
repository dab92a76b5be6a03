import { text, type Dialog } from '../dialog'
import { sharedText } from '../shared-text'
import { holds } from '../../lib/contract/reading/holds'
import { numberIn } from '../quantity/number-in'
import { understoodLine } from '../quantity/understood'
import { collect, ownIn, show, unitOfMeasure } from './controls'
import { listIn } from './elements'
import { numberRows } from './number-rows'
import { at, objectIn, put, type Json } from './paths'

/**
 * Forms for a JSON record. `<div data-record="form" data-unit-field="unit">` names the field that stores it; its
 * controls bind to the record by `data-path`, `data-if` shows parts by other values of the record, and
 * `data-measure="length"` is stored in metres, whatever the unit in the form. Of several forms for one field, the
 * visible one applies.
 */
export function recordForms({ node, form, input, value }: Dialog) {
  form.find('[data-record]').each((_index, element) => {
    const block = $(element)
    const { record: field = '', unitField = '' } = element.dataset
    const unit = () => value(unitField) || 'm'
    let shownUnit = unit()
    const scale = () => (unit() === 'mm' ? 1000 : 1)
    numberRows(block, node)
    const lists = block
      .find('[data-list]')
      .get()
      .map((list) => ({
        name: list.dataset['list'] ?? '',
        ...listIn($(list), () => write()),
      }))

    const stored = objectIn(value(field))
    if (!element.hidden) {
      show(block, stored, scale())
      for (const { name, add } of lists)
        for (const each of asList(at(stored, name))) show(add(), each, scale())
    }
    block.on('focusout', '[data-path]', (event) => {
      $(event.target).attr('data-visited', '')
      refresh()
    })
    block.on('input', '[data-measure]', ({ target }) => delete (target as HTMLElement).dataset['understood'])
    block.on('change', '[data-measure]', ({ target }) => keepNumber($(target as HTMLElement), scale()))
    form.on('input change', refresh)
    refresh()

    function refresh() {
      if (element.hidden) return
      const before = shownUnit
      shownUnit = unit()
      if (before !== shownUnit) convert(before === 'mm' ? 1000 : 1)
      write()
    }

    function convert(scaleBefore: number) {
      block.find('[data-understood]').removeAttr('data-understood')
      for (const part of [
        block,
        ...lists.flatMap(({ elements }) =>
          elements()
            .get()
            .map((each) => $(each)),
        ),
      ])
        show(part, collect(part, scaleBefore), scale())
    }

    function write() {
      reveal(block)
      for (const { elements } of lists) elements().each((_place, each) => reveal($(each)))
      const record = collect(block, scale())
      for (const { name, elements } of lists) {
        const found = elements()
          .get()
          .map((each) => collect($(each), scale()))
        if (found.length) put(record, name, found)
      }
      input(field).val(JSON.stringify(record))
      block.find('[data-measured=length]').text(shownUnit)
      block.find('.form-row:has([data-path])').each((_place, row) => judge($(row), scale()))
      RED.tray.resize()
    }
  })
}

/** Shows the parts that the values of the record require. */
function reveal(part: JQuery) {
  const record = collect(part, 1)
  ownIn(part, '[data-if]').each((_index, ruled) => {
    ruled.hidden = !holds(ruled.dataset['if'] ?? '', (path) => text(at(record, path)))
  })
}

/** Sets a control to the number in its unit, and remembers how it was understood. */
function keepNumber(control: JQuery, scale: number) {
  const found = numberOf(control, scale)
  if (!found || 'reason' in found || Number(control.val()) === found.value) return
  control.val(String(found.value)).attr('data-understood', found.understood ?? null)
}

/** The number in a control; undefined if it holds something else. */
function numberOf(control: JQuery, scale: number) {
  const measure = control.attr('data-measure')
  const given = text(control.val()).trim()
  return given === '' || measure === undefined ? undefined : numberIn(given, unitOfMeasure(measure, scale))
}

/** Shows below a row how numbers are understood and, once the user has visited it, what is missing or not a number. */
function judge(row: JQuery, scale: number) {
  const controls = row.find('[data-path]')
  const reasonOf = (control: HTMLElement) => reasonIn($(control), scale)
  controls.each((_index, control) => {
    $(control).attr('aria-invalid', reasonOf(control) ? 'true' : null)
  })
  let meant = row.children('.vision-understood')
  if (!meant.length) meant = understoodLine().appendTo(row)
  const said = controls.get().map((control) => {
    const found = numberOf($(control), scale)
    return (found && 'value' in found && found.understood) || control.dataset['understood']
  })
  meant.text(said.filter(Boolean).join('; '))
  let line = row.children('.vision-reason')
  if (!line.length) line = $('<div class="vision-reason" role="status">').appendTo(row)
  const visited = controls.filter('[data-visited]').get()
  line.text(visited.map(reasonOf).find(Boolean) ?? '')
}

function reasonIn(control: JQuery, scale: number): string {
  const given = text(control.val()).trim()
  if (given === '') return control.is('[data-needed]') ? sharedText('reason.required') : ''
  const found = numberOf(control, scale)
  return found && 'reason' in found ? found.reason : ''
}

const asList = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : [])
