// The form of generated pages: the block that every page of docs opens with, and tables.

/** @param about audience, outcome, prerequisites and duration */
export const opening = (title, [audience, outcome, prerequisites, duration]) => `# ${title}

${table(
  ['Audience', audience],
  [
    ['Outcome', outcome],
    ['Prerequisites', prerequisites],
    ['Duration', duration],
  ],
)}
`

export const table = (head, rows) => [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')

const row = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`

export const code = (text) => `\`${text}\``
