const LEVELS = { fatal: 10, error: 20, warn: 30 }

/** Console output of debug nodes as plain lines, warnings and errors with the node's name, nothing else. */
export function consoleLog(entry) {
  const text = sentenceOf(entry.msg)
  if (entry.type === 'debug') return console.log(`${time()}  ${text}`)
  if (entry.level > LEVELS.warn) return
  const source = entry.type ? `${entry.name || entry.type}: ` : ''
  console.error(`${time()}  ${entry.level <= LEVELS.error ? 'error' : 'warning'}  ${source}${text}`)
}

const time = () => new Date().toTimeString().slice(0, 8)

const sentenceOf = (message) =>
  typeof message === 'string' ? message : (message?.message ?? JSON.stringify(message))
