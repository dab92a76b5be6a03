/** A status value that somebody has chosen: `dev_camera.temp_left`, in pipeline 0 unless it begins with `1/`. */
export interface ChosenValue {
  pipeline: string
  /** The prefix may be that of another brand. */
  node: string
  value: string
}

/** Most values that can be chosen: so many fit into the series of a device with everything else. */
export const mostChosen = 10

/** A list of them, separated by commas; may be empty. Source of a regular expression. */
export const chosenPattern = '(?:\\s*(?:\\d{1,4}/)?[\\w-]{1,100}\\.[\\w-]{1,100}\\s*(?:,|$)){0,10}\\s*'

/** @returns undefined if the text is no list of at most ten values */
export function chosenValues(text: string): ChosenValue[] | undefined {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  if (parts.length > mostChosen) return undefined
  const found: ChosenValue[] = []
  for (const part of parts) {
    const [, pipeline = '0', node, value] =
      /^(?:(\d{1,4})\/)?([\w-]{1,100})\.([\w-]{1,100})$/.exec(part) ?? []
    if (node === undefined || value === undefined) return undefined
    if (!found.some((other) => other.pipeline === pipeline && other.node === node && other.value === value))
      found.push({ pipeline, node, value })
  }
  return found
}
