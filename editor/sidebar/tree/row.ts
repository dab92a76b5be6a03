import { sharedText } from '../../shared-text'
import type { TreeEntry } from './entry'

let count = 0

/** Creates the parts of a line, which `fillRow` fills and updates. */
export function drawRow(level: number) {
  const id = `vision-tree-${++count}`
  const twist = $('<span class="vision-twist" aria-hidden="true"><i class="fa fa-caret-right"></i></span>')
  const icon = $('<i class="vision-row-icon" aria-hidden="true">')
  const label = $('<span class="vision-row-label">')
  const about = $('<span class="vision-row-about">')
  const value = $('<span class="vision-row-value">')
  const text = $('<span class="vision-row-text">').attr('id', id).append(label, ' ', about, ' ', value)
  const more = $('<button type="button" class="vision-row-more" tabindex="-1">')
    .attr('aria-label', sharedText('sidebar.actions'))
    .append('<i class="fa fa-ellipsis-v" aria-hidden="true"></i>')
  const line = $('<div class="vision-row">').append(twist, icon, text, more)
  line.css('padding-left', `${(level - 1) * 14 + 2}px`)
  const inset = `${level * 14 + 16}px`
  const place = $('<div class="vision-row-edit">').css('padding-left', inset)
  const answer = $('<div class="vision-row-answer" role="status">').css('padding-left', inset)
  const panel = $('<div class="vision-row-panel" hidden>').css('padding-left', `${level * 14}px`)
  const group = $('<ul role="group" hidden>')
  const item = $('<li role="treeitem" tabindex="-1">')
    .attr({ 'aria-level': level, 'aria-labelledby': id })
    .append(line, place, answer, panel, group)
  return { item, line, twist, icon, label, about, value, more, place, answer, panel, group }
}

/** Changes only what differs, so that selected or announced text is not disturbed. */
export function fillRow(parts: ReturnType<typeof drawRow>, entry: TreeEntry): void {
  const { item, line, icon, label, about, value } = parts
  set(label, entry.label)
  set(about, entry.about ?? '')
  set(value, entry.value ?? '')
  icon.attr('class', `vision-row-icon${entry.icon ? ` fa fa-fw fa-${entry.icon}` : ''}`)
  item.attr('data-key', entry.key)
  line.attr({
    'data-tone': entry.tone ?? null,
    title: entry.description ?? null,
    draggable: entry.nodes?.length ? 'true' : null,
  })
  line
    .css('--vision-part', entry.part === undefined ? '' : String(entry.part))
    .toggleClass('vision-row-bar', entry.part !== undefined)
    .toggleClass('vision-row-wraps', entry.isText === true)
    .toggleClass('vision-row-single', entry.isLine === true)
    .toggleClass(
      'vision-row-opens',
      Boolean(entry.branch ?? entry.panel ?? (entry.edit ? undefined : entry.act)),
    )
    .toggleClass('vision-row-has-menu', hasMenu(entry))
}

/** Whether there is anything in its menu. */
const hasMenu = ({ act, edit, nodes }: TreeEntry): boolean => Boolean(act ?? edit ?? nodes?.length)

function set(element: JQuery, text: string) {
  if (element.text() !== text) element.text(text)
}
