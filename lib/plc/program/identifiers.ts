/** Words of IEC 61131-3 that a person might give a variable. */
const reserved: ReadonlySet<string> = new Set(
  `action and any array at bit bool by byte case char configuration constant date dint do dt dword else elsif end exit false for
  from function if in int interval interface label lint lreal lword method mod not of on or overlap override pointer program
  property real reference repeat resource retain return rising_edge self set sint step string struct task then time to tod
  transition true type udint uint ulint union until usint using var when while with word wstring xor`.split(
    /\s+/,
  ),
)

/** A name that every controller takes. */
export function plainName(text: string, otherwise = 'value'): string {
  const plain = withoutMarks(text).replace(/[^A-Za-z0-9_]+/g, '_')
  const name = /[A-Za-z0-9]/.test(plain) ? plain : otherwise
  return /^[0-9]/.test(name) || isReserved(name) ? `v_${name}` : name
}

export const isReserved = (name: string): boolean => reserved.has(name.toLowerCase())

/** Letters without what stands above and below them. */
export const withoutMarks = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '')

/** A text that stays within its line, and within quotes. */
export const inOneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}"]/gu, ' ')

/** Gives out names, each once; no controller tells upper from lower case. */
export class Names {
  readonly #taken = new Set<string>()

  next(wished: string): string {
    let name = wished
    for (let count = 2; this.#taken.has(name.toLowerCase()); count++) name = `${wished}_${count}`
    this.#taken.add(name.toLowerCase())
    return name
  }
}
