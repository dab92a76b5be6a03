import { holds } from '../lib/contract/reading/values'
import { type Dialog, text, isObject, sharedText } from './dialog'
import { numberIn, understoodLine } from './quantity'

/**
 * Forms for a JSON record. `<div data-record="form" data-unit-field="unit">` names the field that stores it; controls bind by
 * `data-path`, `data-if` shows parts by other values, `data-measure="length"` is stored in metres. The visible form applies.
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
        if (found.length) setAt(record, name, found)
      }
      input(field).val(JSON.stringify(record))
      block.find('[data-measured=length]').text(shownUnit)
      block.find('.form-row:has([data-path])').each((_place, row) => assess($(row), scale()))
      RED.tray.resize()
    }
  })
}

function reveal(part: JQuery) {
  const record = collect(part, 1)
  ownIn(part, '[data-if]').each((_index, ruled) => {
    ruled.hidden = !holds(ruled.dataset['if'] ?? '', (path) => text(at(record, path)))
  })
}

function keepNumber(control: JQuery, scale: number) {
  const found = numberOf(control, scale)
  if (!found || 'reason' in found || Number(control.val()) === found.value) return
  control.val(String(found.value)).attr('data-understood', found.understood ?? null)
}

/** Undefined for other content. */
function numberOf(control: JQuery, scale: number) {
  const measure = control.attr('data-measure')
  const typed = text(control.val()).trim()
  return typed === '' || measure === undefined ? undefined : numberIn(typed, unitOfMeasure(measure, scale))
}

/** How numbers are read and, in visited rows, what is missing or wrong. */
function assess(row: JQuery, scale: number) {
  const controls = row.find('[data-path]')
  const reasonOf = (control: HTMLElement) => reasonIn($(control), scale)
  controls.each((_index, control) => {
    $(control).attr('aria-invalid', reasonOf(control) ? 'true' : null)
  })
  let hint = row.children('.vision-understood')
  if (!hint.length) hint = understoodLine().appendTo(row)
  const readings = controls.get().map((control) => {
    const found = numberOf($(control), scale)
    return (found && 'value' in found && found.understood) || control.dataset['understood']
  })
  hint.text(readings.filter(Boolean).join('; '))
  let line = row.children('.vision-reason')
  if (!line.length) line = $('<div class="vision-reason" role="status">').appendTo(row)
  const visited = controls.filter('[data-visited]').get()
  line.text(visited.map(reasonOf).find(Boolean) ?? '')
}

function reasonIn(control: JQuery, scale: number): string {
  const typed = text(control.val()).trim()
  if (typed === '') return control.is('[data-needed]') ? sharedText('reason.required') : ''
  const found = numberOf(control, scale)
  return found && 'reason' in found ? found.reason : ''
}

const asList = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : [])

/** Except in list elements. */
const ownIn = (part: JQuery, selector: string) =>
  part.find(selector).filter((_index, found) => listOf($(found)) === listOf(part))
const listOf = (part: JQuery) => part.closest('[data-list]')[0]

/** @param scale of lengths: 1000 shows millimetres */
function show(part: JQuery, record: Json, scale: number) {
  ownIn(part, '[data-path]').each((_index, control) => {
    const { path = '', measure, part: axis = '' } = control.dataset
    const value = at(record, path)
    if (measure === 'angle') {
      const angles: Record<string, number> | undefined = isObject(value) ? toDegrees(value) : undefined
      $(control).val(angles ? rounded(angles[axis] ?? 0) : '')
    } else if (typeof value === 'number')
      $(control).val(rounded(measure === 'length' ? value * scale : value))
    else if (value !== undefined || !$(control).is('select')) $(control).val(text(value))
  })
}

/** @param scale of lengths: 1000 shows millimetres */
const unitOfMeasure = (measure: string | undefined, scale: number): string =>
  ({ length: scale === 1000 ? 'mm' : 'm', angle: '°', pixels: 'px' })[measure ?? ''] ?? ''

/** Leaves out hidden and empty controls. */
function collect(part: JQuery, scale: number): Json {
  const record: Json = {}
  const angles = new Map<string, Record<string, unknown>>()
  ownIn(part, '[data-path]').each((_index, control) => {
    if ($(control).closest('[hidden]').length) return
    const { path = '', measure, part: axis = '' } = control.dataset
    const given = text($(control).val()).trim()
    if (given === '') return
    if (measure === undefined) {
      setAt(record, path, given)
      return
    }
    const found = numberIn(given, unitOfMeasure(measure, scale))
    // Text that is not a number is kept; the node rejects it by name.
    const value = 'value' in found ? found.value : given
    if (measure === 'angle') angles.set(path, { ...angles.get(path), [axis]: value })
    else setAt(record, path, measure === 'length' && typeof value === 'number' ? exact(value / scale) : value)
  })
  for (const [path, { x = 0, y = 0, z = 0 }] of angles) {
    const degrees = [x, y, z]
    setAt(record, path, degrees.every(isNumber) ? fromDegrees(degrees) : { given: degrees })
  }
  return record
}

const isNumber = (value: unknown) => typeof value === 'number'
/** Without rounding errors of the division by 1000. */
const exact = (value: number) => Number(value.toPrecision(12))
const rounded = (value: number) => String(Number(value.toFixed(6)) + 0)

/** `<div data-list="elements">`: a hidden `[data-element]`, copied for each element, and a button `[data-add]`. */
function listIn(list: JQuery, changed: () => void) {
  const pattern = list.children('[data-element]').first().prop('hidden', true)
  const elements = () => list.children('[data-element]').not(pattern)

  const add = () => {
    const element = pattern.clone().prop('hidden', false).insertBefore(list.children('[data-add]'))
    const remove = $('<button type="button" class="red-ui-button red-ui-button-small vision-remove">')
      .attr('aria-label', sharedText('record.remove'))
      .append('<i class="fa fa-trash" aria-hidden="true">')
      .on('click', () => {
        element.remove()
        changed()
      })
    element.find('.vision-control').first().append(remove)
    // A copied label would refer to the template's control.
    element.find('label[for]').each((_index, label) => {
      const id = `${label.getAttribute('for') ?? ''}-${Math.random().toString(36).slice(2, 8)}`
      element.find(`#${label.getAttribute('for') ?? ''}`).attr('id', id)
      label.setAttribute('for', id)
    })
    return element
  }
  list.children('[data-add]').on('click', () => {
    add()
    changed()
  })
  return { elements, add }
}

/** Inputs for `<div data-numbers="box" data-parts="x,y,z" data-measure="length">`; `data-needed` marks required values. */
function numberRows(block: JQuery, node: EditorNode) {
  block.find('[data-numbers]').each((_index, row) => {
    const { numbers = '', parts = '', measure = 'number', needed } = row.dataset
    // Node-RED translates the form only later.
    const label = node._(($(row).children('label').attr('data-i18n') ?? '').replace(/^\[\w+\]/, ''))
    const controls = $(row).children('.vision-control')
    for (const part of parts.split(',')) {
      const input = $('<input type="text" inputmode="decimal" class="vision-part">').attr({
        'aria-label': `${label} ${part}`.trim(),
        'data-path': part && measure !== 'angle' ? `${numbers}.${part}` : numbers,
        'data-part': part,
        'data-measure': measure,
        placeholder: part,
      })
      if (needed !== undefined) input.attr('data-needed', '')
      controls.append(input)
    }
    const units: Record<string, string> = { pixels: sharedText('unit.pixels'), angle: '°', length: '' }
    $('<span class="vision-unit">')
      .attr('data-measured', measure)
      .text(units[measure] ?? '')
      .appendTo(controls)
  })
}

type Json = Record<string, unknown>

/** `pose.position.x` */
const at = (record: unknown, path: string) =>
  path.split('.').reduce<unknown>((part, key) => (isObject(part) ? part[key] : undefined), record)

/** Creates missing objects. */
function setAt(record: Json, path: string, value: unknown) {
  const keys = path.split('.')
  const last = keys.pop() ?? ''
  let part = record
  for (const key of keys) {
    const next = part[key]
    part = isObject(next) ? next : (part[key] = {})
  }
  part[last] = value
}

/** Empty if there is none. */
function objectIn(text: string): Json {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

interface Quaternion {
  w: number
  x: number
  y: number
  z: number
}

const degree = Math.PI / 180

/** Degrees about fixed axes: x, then y, then z. */
function fromDegrees([x = 0, y = 0, z = 0]: readonly number[]): Quaternion {
  const [cx, cy, cz] = [x, y, z].map((angle) => Math.cos((angle * degree) / 2)) as [number, number, number]
  const [sx, sy, sz] = [x, y, z].map((angle) => Math.sin((angle * degree) / 2)) as [number, number, number]
  return {
    w: cx * cy * cz + sx * sy * sz,
    x: sx * cy * cz - cx * sy * sz,
    y: cx * sy * cz + sx * cy * sz,
    z: cx * cy * sz - sx * sy * cz,
  }
}

/** Degrees; at y = ±90, x and z are one of many solutions. */
const toDegrees = ({ w = 0, x = 0, y = 0, z = 0 }: Partial<Quaternion>) => ({
  x: Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)) / degree,
  y: Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x)))) / degree,
  z: Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)) / degree,
})
