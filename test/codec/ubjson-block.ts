/** Bytes from the block notation of the draft: characters in square brackets, everything else hexadecimal. */
export function block(notation: string): Buffer {
  const parts = notation.matchAll(/\[(\[|\]|[^\]]*)\]|([0-9a-f]{2})+/g)
  return Buffer.concat(
    [...parts].map(([all, text]) => Buffer.from(text ?? all, text === undefined ? 'hex' : 'latin1')),
  )
}
