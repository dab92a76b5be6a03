/** Saves a text as a file of the browser. */
export function saveText(content: string, name: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'text/plain' }))
  const [link] = $('<a>').attr({ href: url, download: name }).get()
  link?.click()
  URL.revokeObjectURL(url)
}
