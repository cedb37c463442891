/** The build of recheck that needs neither Java nor a native program. Its package has no types for this file. */
declare module 'recheck/lib/browser.js' {
  const recheck: Pick<typeof import('recheck'), 'checkSync'>
  export default recheck
}
