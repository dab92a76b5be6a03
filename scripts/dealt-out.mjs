import { filesBelow } from './fingerprint.mjs'

/** The tests of a folder below `dist`, dealt out to several processes. */
export function dealtOut(folder, count) {
  const files = filesBelow(folder).filter((file) => file.endsWith('.test.js'))
  return Array.from({ length: count }, (_, part) => files.filter((_, index) => index % count === part))
}
