/** What somebody can do whose phone takes photos in HEIC. */
export const heicHelp = {
  title: "This photo is a HEIC file, the iPhone's own format",
  text: 'An iPhone can send it as JPEG: open this page on the iPhone and choose the photo from the Photo Library.',
  settings: 'For new photos as JPEG: Settings › Camera › Formats › Most Compatible.',
}
