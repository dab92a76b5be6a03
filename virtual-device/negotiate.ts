export type Format = 'json' | 'ubjson'

/** The format that an Accept header prefers; JSON where it leaves the choice, or names neither. */
export function negotiate(accept: string | undefined): Format {
  if (accept === undefined || !/ubjson/i.test(accept)) return 'json'
  const ranges = accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 }
  })
  // The most specific range that fits counts.
  const qualityOf = (type: string) =>
    [type, 'application/*', '*/*']
      .map((fitting) => ranges.find((range) => range.type === fitting)?.quality)
      .find((quality) => quality !== undefined) ?? 0
  return qualityOf('application/ubjson') > qualityOf('application/json') ? 'ubjson' : 'json'
}
