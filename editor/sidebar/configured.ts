import { sharedText } from '../dialog'

const types = ['vision-device-config', 'vision-plc-handshake', 'vision-robot-connection'] as const

type ConfigType = (typeof types)[number]

export function configured(type: ConfigType = 'vision-device-config'): EditorNode[] {
  const found: EditorNode[] = []
  RED.nodes.eachConfig((node) => {
    if (node.type === type) found.push(node)
    return true
  })
  return found.sort((one, other) => naturally(nameOf(one), nameOf(other)))
}

/** Called for each node of an imported flow. */
export function isAnyConfigured(): boolean {
  let isAny = false
  RED.nodes.eachConfig(({ type }) => {
    isAny ||= types.some((each) => each === type)
    return !isAny
  })
  return isAny
}

export const nameOf = (device: EditorNode): string => RED.utils.getNodeLabel(device as never, device.id)

/** 2 before 10, ignoring case. */
const naturally = (one: string, other: string): number =>
  one.localeCompare(other, RED.i18n.lang(), { numeric: true })

interface SearchField {
  element: JQuery
  query: () => string
}

/** `leave` is called on the key that leads to the tree. */
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

export const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s/).filter(Boolean)

/** At least one word in the item, the others in it or around it: `left fps` finds `fps` of the device "left". */
export function matches(words: readonly string[], own: string, context: readonly string[] = []): boolean {
  return (
    words.some((word) => has(own, word)) &&
    words.every((word) => has(own, word) || context.some((each) => has(each, word)))
  )
}

/** A number matches as a whole: 1 is neither in "Cell 12" nor in 10.0.0.1. */
function has(text: string, word: string): boolean {
  if (!/^\d+$/.test(word)) return text.toLowerCase().includes(word)
  return text.split(/[^\d.:]/).includes(word)
}
