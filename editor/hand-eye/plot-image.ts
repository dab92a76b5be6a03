/** A place for a plot, empty until there is one. @param name for who does not see it */
export const plotImage = (name: string): JQuery => $('<img class="vision-plot" hidden>').attr('alt', name)

/** Shows a plot, or none. @param svg an SVG file @returns whether something else was shown before */
export function showPlot(image: JQuery, svg: string | undefined): boolean {
  const isHidden = image.prop('hidden') === true
  if (svg === undefined) {
    image.prop('hidden', true)
    return !isHidden
  }
  const source = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  if (image.attr('src') === source && !isHidden) return false
  image.attr('src', source).prop('hidden', false)
  return true
}
