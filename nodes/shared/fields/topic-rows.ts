/** A name, `${ENV}` in it included. Source of a regular expression. */
const name = '([\\w.-]{1,64}|[\\w.-]*\\$\\{\\w+\\}[\\w.-]*)'

/** A plant, a cell or a centre: one level of a topic. */
export const topicNameRow = {
  kind: 'text',
  default: '',
  neededWhen: 'always',
  pattern: `^${name}$`,
} as const

/** The first levels of all topics, the same in all cells and centres. */
export const topicRootRow = {
  kind: 'text',
  default: 'vision',
  neededWhen: 'always',
  pattern: `^${name}(/${name})*$`,
  icon: 'sitemap',
  hint: true,
} as const
