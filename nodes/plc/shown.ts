/** A value in a sentence, shortened. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined
  return (text ?? typeof value).slice(0, 60)
}
