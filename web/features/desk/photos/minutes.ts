const DAY = 24 * 60

/** Minutes as days, hours and minutes of one sign: `-1 d 2 h` or `+30 min`. */
export function minutesInWords(minutes: number): string {
  const { days, hours, rest } = partsOf(Math.abs(minutes))
  const said = [days && `${days} d`, hours && `${hours} h`, (rest || minutes === 0) && `${rest} min`]
  return `${minutes < 0 ? '−' : '+'}${said.filter(Boolean).join(' ')}`
}

/** Each has the sign of the minutes. */
export function partsOf(minutes: number): { days: number; hours: number; rest: number } {
  const days = Math.trunc(minutes / DAY)
  const hours = Math.trunc((minutes - days * DAY) / 60)
  return { days, hours, rest: minutes - days * DAY - hours * 60 }
}

export const minutesOf = ({ days, hours, rest }: ReturnType<typeof partsOf>) => days * DAY + hours * 60 + rest
