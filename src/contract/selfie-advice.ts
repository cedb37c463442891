/** What a visitor can do about a selfie with which a search may miss photos. */
export const SELFIE_ADVICE = {
  NO_FACE: 'No face was found in this picture. Try a clearer photo that shows your face from the front.',
  SEVERAL_FACES: 'This picture shows several people. A picture of you alone may find more.',
  TOO_FAR_AWAY: 'Your face is too small in this picture. Come closer to the camera.',
  BLURRED: 'Your face is blurred in this picture. Hold the camera still.',
  TURNED_AWAY: 'Your face is turned away in this picture. Look into the camera.',
  TOO_DARK: 'Your face is too dark in this picture. Find a brighter place.',
  TOO_BRIGHT: 'Your face is too bright in this picture. Avoid strong light on it.',
} as const

export type SelfieProblem = keyof typeof SELFIE_ADVICE
