/** Bytes. Profiles of cameras and screens have up to 4 KB, those of printing presses up to 2 MB. */
export const PROFILE_MAX_BYTES = 2 * 1024 * 1024

/** A chain of any number of steps for each pixel, which no camera writes: a table of 2 MB could have thousands. All other
 *  elements of a profile have at most five steps (ICC.1:2022, section 10). */
const ANY_NUMBER_OF_STEPS = 'mpet'

/** Whether a colour profile may be used. A picture without its profile is shown as sRGB. */
export function isUsableProfile(profile: Buffer): boolean {
  return profile.length <= PROFILE_MAX_BYTES && !profile.includes(ANY_NUMBER_OF_STEPS)
}
