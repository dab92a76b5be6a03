/** A test for names in which `*` stands for any characters, ignoring case. Linear in the length of the name. */
export function wildcard(pattern: string): (name: string) => boolean {
  const [first = '', ...parts] = pattern.toLowerCase().split('*')
  const last = parts.pop()
  if (last === undefined) return (name) => name.toLowerCase() === first
  return (given) => {
    const name = given.toLowerCase()
    if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last))
      return false
    const end = name.length - last.length
    let place = first.length
    for (const part of parts) {
      const found = name.indexOf(part, place)
      place = found + part.length
      if (found < 0 || place > end) return false
    }
    return true
  }
}
