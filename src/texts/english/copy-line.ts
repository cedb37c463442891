/** Texts of a line that can be copied. */
export const copyLine = {
  copy: (name: string) => `Copy ${name}`,
  copied: (name: string) => `Copied the ${name}`,
  notCopied: (name: string) => `Could not copy the ${name}`,
  selected: 'It is selected: please copy it by hand.',
  link: 'link',
}
