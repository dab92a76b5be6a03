import { sharedText } from '../shared-text'

/**
 * Fills every row `<div data-numbers="box" data-parts="x,y,z" data-measure="length">` with an input for each part. A
 * row without parts has one input. `data-needed` marks required values.
 */
export function numberRows(block: JQuery, node: EditorNode) {
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
