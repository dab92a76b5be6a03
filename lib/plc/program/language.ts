/** The languages of PLC programs: names that a controller takes, the syntax of SCL and Structured Text, the texts of comments. */
import { sentencesIn, type KeyOf } from '../../kernel/sentences'
import { plcErrorsOf } from '../plc-error'
import type en from './locales/en-US/sentences.json'
import type reportsEn from './locales/en-US/reports.json'
import { defaultCodes, isReturnCode, type CodeName, type CodeTable } from '../codes'

const texts = sentencesIn<typeof reportsEn>(__dirname)

export const programError = plcErrorsOf(sentencesIn<typeof en>(__dirname))

/** The text of a comment or of a table cell. */
export const programText = (
  key: KeyOf<typeof texts>,
  values: Record<string, unknown> = {},
  language?: string,
): string => texts.say(key, values, language)

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

const isReserved = (name: string): boolean => reserved.has(name.toLowerCase())

/** Letters without diacritics. */
export const withoutMarks = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '')

/** A text without line breaks and quotes. */
export const inOneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}"]/gu, ' ')

/** Unique names; controllers ignore case. */
export class Names {
  readonly #taken = new Set<string>()

  next(wished: string): string {
    let name = wished
    for (let count = 2; this.#taken.has(name.toLowerCase()); count++) name = `${wished}_${count}`
    this.#taken.add(name.toLowerCase())
    return name
  }
}

/** Explains a result code to the PLC programmer. */
export function codeText(code: number, codes: CodeTable, language?: string): string {
  const name = Object.keys(codes).find((each) => codes[each] === code)
  return name === undefined ? programText('device-code', {}, language) : codeNameText(name, language)
}

/** Explains a line of a code table; a code of the user's own is its name. */
export function codeNameText(name: string, language?: string): string {
  if (Object.hasOwn(defaultCodes, name)) return programText(`code-${name as CodeName}`, {}, language)
  return isReturnCode(name) ? programText('return-code', { value: name }, language) : name
}

/** The syntax in which the languages differ. */
export interface Dialect {
  /** A variable of the block. */
  local: (name: string) => string
  /** A structure. */
  structure: (name: string, members: readonly string[]) => string[]
  /** Variables that others read and write. @param asBytes at fixed addresses */
  variables: (list: string, members: readonly string[], asBytes?: boolean) => string[]
  /** A name in it, as the controller takes it. */
  member: (name: string) => string
  /** A variable of it: the list, structures, and the name in them. */
  global: (path: readonly string[]) => string
  /** Types that the block needs beside its structures. */
  types: readonly string[]
  /** The type of a structure in a declaration. */
  typeName: (name: string) => string
  blockStart: (name: string) => string[]
  blockEnd: readonly string[]
  /** Before the first statement. */
  begin: readonly string[]
  /** Type of an on-delay timer. */
  timer: string
  /** Variables for the bits of 32. */
  doubles: readonly string[]
  /** From the variable `joined` into a variable of that type. */
  fromDouble: (to: string, type: string) => string[]
  /** From a variable of that type into the variable `joined`. */
  toDouble: (from: string, type: string) => string[]
  /** A line as the engineering tool takes it. */
  line?: (line: string) => string
}

const isPlain = (name: string) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !isReserved(name)

const quoted = (name: string) => `"${inOneLine(name)}"`

const indented = (lines: readonly string[]) => lines.map((line) => `   ${line}`)

/** SCL of Siemens S7-1200 and S7-1500, as an external source. */
export const scl: Dialect = {
  local: (name) => `#${name}`,
  structure: (name, members) => [
    `TYPE "${name}"`,
    'VERSION : 0.1',
    '   STRUCT',
    ...indented(indented(members)),
    '   END_STRUCT;',
    'END_TYPE',
  ],
  variables: (list, members, asBytes = false) => [
    `DATA_BLOCK ${quoted(list)}`,
    `{ S7_Optimized_Access := '${asBytes ? 'FALSE' : 'TRUE'}' }`,
    'VERSION : 0.1',
    '   STRUCT',
    ...indented(indented(members)),
    '   END_STRUCT;',
    'BEGIN',
    'END_DATA_BLOCK',
  ],
  member: (name) => (isPlain(name) ? name : quoted(name)),
  global: ([list = '', ...names]) => [quoted(list), ...names.map(scl.member)].join('.'),
  types: [],
  typeName: (name) => `"${name}"`,
  blockStart: (name) => [`FUNCTION_BLOCK "${name}"`, "{ S7_Optimized_Access := 'TRUE' }", 'VERSION : 0.1'],
  blockEnd: ['END_FUNCTION_BLOCK'],
  begin: ['BEGIN'],
  timer: 'TON_TIME',
  doubles: ['joined : DWORD;'],
  fromDouble: (to, type) => [`${to} := DWORD_TO_${type}(#joined);`],
  toDouble: (from, type) => [`#joined := ${type}_TO_DWORD(${from});`],
}

/** Structured Text of IEC 61131-3, as CODESYS and its relatives take it. */
export const structuredText: Dialect = {
  local: (name) => name,
  structure: (name, members) => [`TYPE ${name} :`, 'STRUCT', ...indented(members), 'END_STRUCT', 'END_TYPE'],
  variables: (list, members) => [
    // The list has its name from the project, not from the text.
    `// ${plainName(list)}`,
    'VAR_GLOBAL',
    ...indented(members),
    'END_VAR',
  ],
  member: (name) => plainName(name),
  global: (path) => path.map((name) => plainName(name)).join('.'),
  // Some controllers convert the number with DWORD_TO_REAL, others the bits: a union is the same on all.
  types: ['TYPE VisionBits :', 'UNION', '   bits : DWORD;', '   number : REAL;', 'END_UNION', 'END_TYPE'],
  typeName: (name) => name,
  blockStart: (name) => [`FUNCTION_BLOCK ${name}`],
  blockEnd: ['END_FUNCTION_BLOCK'],
  begin: [],
  timer: 'TON',
  doubles: ['joined : DWORD;', 'bits : VisionBits;'],
  fromDouble: (to, type) =>
    type === 'REAL'
      ? ['bits.bits := joined;', `${to} := bits.number;`]
      : [`${to} := DWORD_TO_${type}(joined);`],
  toDouble: (from, type) =>
    type === 'REAL'
      ? [`bits.number := ${from};`, 'joined := bits.bits;']
      : [`joined := ${type}_TO_DWORD(${from});`],
}

/**
 * Structured Text of GX Works3. It calls numbers without a sign WORD and DWORD, has hexadecimal numbers without a type before
 * them, and its global labels have no list before their name.
 */
export const melsec: Dialect = {
  ...structuredText,
  line: (line) => {
    const [statement = '', ...comment] = line.split('//')
    const taken = statement
      .replace(': UINT', ': WORD')
      .replace(': UDINT', ': DWORD')
      .replaceAll('WORD#16#', '16#')
    return [taken, ...comment].join('//')
  },
}
