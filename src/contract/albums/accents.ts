/** The colours that an owner may choose for an album, each on light pages and on dark ones; null: Inframe's own. Their contrast is
 *  tested, as text on the page and with text on them. */
export const ACCENTS = {
  marigold: null,
  red: ['#b91c1c', '#f87171'],
  pink: ['#be185d', '#f472b6'],
  violet: ['#6d28d9', '#a78bfa'],
  blue: ['#1d4ed8', '#60a5fa'],
  teal: ['#0f6b64', '#2dd4bf'],
  green: ['#166534', '#4ade80'],
  graphite: ['#44403c', '#d6d3d1'],
} as const
export type Accent = keyof typeof ACCENTS
export const ACCENT_NAMES = Object.keys(ACCENTS) as Accent[]
