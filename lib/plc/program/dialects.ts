/** How a language writes what languages write differently. */
export interface Dialect {
  /** A variable of the block. */
  local: (name: string) => string
  /** A structure. */
  structure: (name: string, members: readonly string[]) => string[]
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
}

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
