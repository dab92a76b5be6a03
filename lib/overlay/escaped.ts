const entities: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
}
/** A text as it may stand in an SVG file. Names come from the device. */
export const escaped = (text: string): string =>
  // Control characters are not allowed in XML at all.
  text
    .replace(/[\u0000-\u001f\ufffe\uffff\ud800-\udfff]/g, '\ufffd')
    .replace(/[&<>"']/g, (letter) => entities[letter] ?? '')
