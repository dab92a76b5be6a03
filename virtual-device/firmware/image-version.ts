/** The notation of a device's image versions: `before` + version + `after`. */
interface ImageNaming {
  /** Empty, or ends with `-`. */
  before: string
  /** `v<major>.<minor>.<patch>` */
  version: string
  /** Empty, or begins with `-`. */
  after: string
}

/** The parts of `v1.2.3` or `<prefix>-v1.2.3-<suffix>`; undefined for any other text. */
export function imageNaming(text: string): ImageNaming | undefined {
  const [, before, version, after] =
    /^((?:\w{1,30}-)?)(v\d{1,5}\.\d{1,5}\.\d{1,5})((?:-[\w.]{1,30})?)$/.exec(text) ?? []
  return version === undefined ? undefined : { before: before ?? '', version, after: after ?? '' }
}

/** A version as shown by a device whose images are named like `example`. */
export function imageVersion(version: string, example: string): string {
  const { before = '', after = '' } = imageNaming(example) ?? {}
  return `${before}${version}${after}`
}
