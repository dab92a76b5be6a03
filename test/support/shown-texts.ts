/** WCAG 2.2, 1.4.3. */
export const readable = 4.5

export interface ShownText {
  text: string
  contrast: number
}

/** A script: visible texts with their contrast to the nearest background. */
export const shownTexts = (selector: string) => `{
  // Mixed colours are color(srgb 0.5 0.5 0.5).
  const channels = (colour) => colour.match(/[\\d.]+/g)
    .map((part, at) => (colour.startsWith('color(srgb') && at < 3 ? 255 * part : Number(part)))
  const luminance = ([r, g, b]) => {
    const linear = [r, g, b].map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return linear[0] * 0.2126 + linear[1] * 0.7152 + linear[2] * 0.0722
  }
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const [r, g, b, opacity = 1] = channels(getComputedStyle(at).backgroundColor)
      if (opacity > 0.5) return [r, g, b]
    }
    return [255, 255, 255]
  }
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
  ;[...document.querySelectorAll('${selector}')]
    .filter((element) => element.checkVisibility() && !element.disabled)
    .filter((element) => hasText(element) || element.matches('select, input:not([type=checkbox])'))
    .map((element) => {
      const levels = [luminance(channels(getComputedStyle(element).color)), luminance(behind(element))]
      const contrast = (Math.max(...levels) + 0.05) / (Math.min(...levels) + 0.05)
      return { text: (hasText(element) ? element.textContent : element.id).trim(), contrast }
    })
}`
