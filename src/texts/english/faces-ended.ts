/** What an album says whose faces were deleted. Apart from its other texts, because few albums need it. */
export const facesEnded = {
  title: 'Face search has ended for this album',
  text: (date: string) => `Its photos are still here. The descriptions of the faces were deleted on ${date}.`,
}
