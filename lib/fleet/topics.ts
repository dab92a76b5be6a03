/** Names of plants, cells, centres, devices and flows in topics and payloads. */
export const namePattern = '^[A-Za-z0-9_.-]{1,64}$'

/** Whether a text can be one level of a topic: letters, digits, `-`, `_` and `.`, at most 64. */
export const isName = (text: unknown): text is string =>
  typeof text === 'string' && /^[A-Za-z0-9_.-]{1,64}$/.test(text)

/** Whether a text can be the root of all topics: one or more names with `/` between them. */
export const isRoot = (text: string): boolean => text.length <= 200 && text.split('/').every(isName)

/** The level where the topics of the centres are. */
export const centreLevel = 'centre'

/** Whether a plant can have this name: not that of a level which is taken, here or in Sparkplug. */
export const isPlant = (text: unknown): text is string =>
  isName(text) && text !== centreLevel && text !== 'STATE'

/** A cell: the root of the topics, its plant and its own name. */
export interface CellName {
  root: string
  plant: string
  cell: string
}

/** The last levels of the topics of a cell. */
export const cellTopics = ['state', 'gone', 'here', 'command', 'answer', 'event', 'ack'] as const
export type CellTopic = (typeof cellTopics)[number]

/** A topic of a cell, `vision/north/cell-7/state`. */
export const topicOf = ({ root, plant, cell }: CellName, last: CellTopic): string =>
  `${root}/${plant}/${cell}/${last}`

/** What a centre subscribes to for one kind of message of all cells, `vision/+/+/state`. */
export const topicOfAllCells = (root: string, last: CellTopic): string => `${root}/+/+/${last}`

/** The retained claim of the one centre that acts. */
export const claimTopic = (root: string): string => `${root}/${centreLevel}`

/** Where a centre receives answers: the response topic of its commands. */
export const centreAnswerTopic = (root: string, centre: string): string =>
  `${root}/${centreLevel}/${centre}/answer`

/** The cell and the kind of message that a topic names; undefined for any other topic. */
export function readCellTopic(root: string, topic: unknown): (CellName & { last: CellTopic }) | undefined {
  const [plant, cell, last, ...more] = levelsBelow(root, topic)
  if (!isPlant(plant) || !isName(cell) || more.length > 0) return undefined
  const known = cellTopics.find((one) => one === last)
  return known && { root, plant, cell, last: known }
}

/** The centre whose response topic this is; undefined for any other topic. */
export function readCentreAnswerTopic(root: string, topic: unknown): string | undefined {
  const [level, centre, last, ...more] = levelsBelow(root, topic)
  return level === centreLevel && isName(centre) && last === 'answer' && more.length === 0
    ? centre
    : undefined
}

const levelsBelow = (root: string, topic: unknown): string[] =>
  typeof topic === 'string' && topic.length <= 500 && topic.startsWith(`${root}/`)
    ? topic.slice(root.length + 1).split('/')
    : []
