import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Version of this package, from its installed package.json. */
export const packageVersion = (): string => {
  const text = readFileSync(join(__dirname, '..', '..', '..', 'package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
