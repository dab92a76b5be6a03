import { sharedText } from '../shared-text'
import type { LineProblem } from './tree/troubles'

interface Problems {
  element: JQuery
  show: (general: string | undefined, troubles: readonly LineProblem[]) => void
}

/** The area at the bottom that shows problems. Its height is constant, so that changes in it move nothing else. */
export function problems(go: (item: HTMLElement) => void): Problems {
  const title = sharedText('sidebar.problems')
  const list = $('<ul>')
  const none = $('<p>').text(sharedText('sidebar.noProblems'))
  const element = $('<div class="vision-problems" role="region" tabindex="0">')
    .attr('aria-label', title)
    .append(none, list)
  let shown = ''

  function show(general: string | undefined, troubles: readonly LineProblem[]) {
    const lines = troubles.map(({ label, text }) =>
      text.startsWith(`${label}:`) ? text : `${label}: ${text}`,
    )
    const now = JSON.stringify([general, lines])
    // Does not change while somebody reads it or is about to click it.
    if (now === shown) return
    shown = now
    none.prop('hidden', Boolean(general) || lines.length > 0)
    list.empty().append(
      general === undefined ? [] : $('<li>').text(general),
      lines.map((line, at) =>
        $('<li>').append(
          $('<button type="button">')
            .text(line)
            .on('click', () => {
              const item = troubles[at]?.item
              if (item?.isConnected) go(item)
            }),
        ),
      ),
    )
  }

  return { element, show }
}
