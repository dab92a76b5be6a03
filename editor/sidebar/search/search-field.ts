import { sharedText } from '../../shared-text'

interface SearchField {
  element: JQuery
  /** The trimmed search text; empty if there is none. */
  query: () => string
}

/**
 * The field above the tree. `changed` is called when the search text changes, `leave` on the key that leads to the
 * tree.
 */
export function searchField({ changed, leave }: { changed: () => void; leave: () => void }): SearchField {
  const name = sharedText('sidebar.search')
  const input = $('<input type="search" autocomplete="off" spellcheck="false">').attr({
    'aria-label': name,
    placeholder: name,
    title: name,
  })
  let last = ''
  const query = () => String(input.val()).trim()

  input.on('input search', () => {
    if (query() === last) return
    last = query()
    changed()
  })
  input.on('keydown', (event) => {
    if (event.key === 'Escape' && last) input.val('').trigger('input')
    else if (event.key === 'ArrowDown') leave()
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  return { element: $('<div class="vision-search">').append(input), query }
}
