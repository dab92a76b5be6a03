type Format = 'json' | 'ubjson'

/** The format preferred by an Accept header; JSON if it leaves the choice, or names neither. */
export function negotiate(accept: string | undefined): Format {
  if (accept === undefined || !/ubjson/i.test(accept)) return 'json'
  const qualityOf = qualities(accept)
  return qualityOf('application/ubjson') > qualityOf('application/json') ? 'ubjson' : 'json'
}

/** Whether an Accept header prefers the file itself to its record. */
export function prefersFile(accept: string | undefined): boolean {
  if (accept === undefined || !/octet-stream/i.test(accept)) return false
  const qualityOf = qualities(accept)
  const others = ['application/json', 'application/ubjson'].map(qualityOf)
  return qualityOf('application/octet-stream') > Math.max(...others)
}

function qualities(accept: string): (type: string) => number {
  const ranges = accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 }
  })
  // The most specific matching range applies.
  return (type) =>
    [type, 'application/*', '*/*']
      .map((fitting) => ranges.find((range) => range.type === fitting)?.quality)
      .find((quality) => quality !== undefined) ?? 0
}
