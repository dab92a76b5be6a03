import type { KnownPicture, NoPicture } from '../../nodes/device-config/admin/picture'
import { problemOf } from '../request'

/** A picture as the browser has it, with what is known of it; or since when there is no newer one. */
export type FetchedPicture = ({ blob: Blob } & KnownPicture) | NoPicture

export interface PictureQuery {
  device: string
  pipeline: string
  part: string
  /** `receivedAt` of the picture that is shown; then only a newer one is sent. */
  after?: number | undefined
}

/** Fetches the newest picture of a camera of a running device. @throws DeviceProblem */
export async function fetchPicture({ device, ...query }: PictureQuery): Promise<FetchedPicture> {
  // jQuery makes nothing of an error whose body is not a text.
  const sent = new XMLHttpRequest()
  const url = `vision-devices/${encodeURIComponent(device)}/picture?${$.param(query)}`
  try {
    const blob = (await $.ajax({
      ...{ url, dataType: 'binary', xhrFields: { responseType: 'blob' }, xhr: () => sent },
      headers: { 'accept-language': RED.i18n.lang() },
    })) as Blob
    const known = sent.getResponseHeader('x-vision-picture')
    if (known === null) return JSON.parse(await blob.text()) as NoPicture
    return { blob, ...(JSON.parse(known) as KnownPicture) }
  } catch (failed) {
    const { status } = failed as JQuery.jqXHR
    const body: unknown = sent.response
    throw problemOf({ status, responseJSON: body instanceof Blob ? jsonIn(await body.text()) : undefined })
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
