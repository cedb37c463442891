/** The colours that an owner may choose for an album. The first one is Inframe's own; web/accents.css has the others. No page
 *  of guests loads zod for them. */
export const ACCENTS = ['marigold', 'red', 'pink', 'violet', 'blue', 'teal', 'green', 'graphite'] as const
export type Accent = (typeof ACCENTS)[number]
