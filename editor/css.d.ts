/** Bundled into the script as text. */
declare module '*.css' {
  const style: string
  export default style
}
