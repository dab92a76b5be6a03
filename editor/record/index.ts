import { text, type Dialog } from '../dialog'
import { sharedText } from '../shared-text'
import { holds } from '../visibility'
import { collect, ownIn, show } from './controls'
import { listIn } from './elements'
import { numberRows } from './number-rows'
import { at, objectIn, put, type Json } from './paths'

/**
 * Forms for a JSON record. The field that keeps it is named by `<div data-record="form" data-unit-field="unit">`;
 * controls in it say by `data-path` what they stand for, `data-if` shows parts by other values of the record, and
 * `data-measure="length"` is kept in metres whatever the unit in the form is. Of several forms for one field, that one
 * counts which is not hidden.
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
      block.find('[data-unit=length]').text(shownUnit)
      block.find('.form-row:has([data-path])').each((_place, row) => judge($(row)))
      RED.tray.resize()
    }
  })
}

/** Shows what the values of the record ask for. */
function reveal(part: JQuery) {
  const record = collect(part, 1)
  ownIn(part, '[data-if]').each((_index, ruled) => {
    ruled.hidden = !holds(ruled.dataset['if'] ?? '', (path) => text(at(record, path)))
  })
}

/** Says below a row what is missing or no number, once the user has been there. */
function judge(row: JQuery) {
  const controls = row.find('[data-path]')
  controls.each((_index, control) => {
    $(control).attr('aria-invalid', reasonOf($(control)) ? 'true' : null)
  })
  let line = row.children('.vision-reason')
  if (!line.length) line = $('<div class="vision-reason" role="status">').appendTo(row)
  const visited = controls.filter('[data-visited]').get()
  line.text(visited.map((control) => reasonOf($(control))).find(Boolean) ?? '')
}

function reasonOf(control: JQuery) {
  const given = text(control.val()).trim()
  if (given === '') return control.is('[data-needed]') ? sharedText('reason.required') : ''
  const isWrong = control.is('[data-measure]') && Number.isNaN(Number(given.replace(',', '.')))
  return isWrong ? sharedText('reason.number') : ''
}

const asList = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : [])
